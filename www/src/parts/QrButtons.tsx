// Reads QR codes: by the camera where there is one, and of pictures everywhere. A long text is of several, which may come in any order.
import { useEffect, useRef, useState } from "preact/hooks";
import { notify } from "../state/notices";
import { Dialog } from "./Dialog";
import { Frames, isFrame } from "./frames";
import { Icon } from "./Icon";
import { readQr } from "./readQr";
import { t } from "../words";

const PICTURE_MS = 2_000;
const FRAME_MS = 40;

interface Props {
  onText(text: string): void;
  /** Beside a field, where there is little room. */
  small?: boolean;
}

export function QrButtons({ onText, small = false }: Props) {
  const look = small ? "icon-button" : "button";
  const [scanning, setScanning] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  const frames = useRef(new Frames());

  const read = async (picture: File): Promise<void> => {
    const text = await createImageBitmap(picture).then((bitmap) => readQr(bitmap, PICTURE_MS), () => undefined);
    if (text === undefined) return void notify(t.fields.thereIsNoQRCode, "bad");
    const whole = isFrame(text) ? frames.current.add(text) : text;
    if (whole !== undefined) return onText(whole);
    const { read, count } = frames.current.read;
    notify(t.fields.codesRead(read, count), "good");
  };
  const readAll = async (pictures: File[]): Promise<void> => {
    for (const picture of pictures) await read(picture);
  };
  return (
    <>
      {"mediaDevices" in navigator && (
        <button type="button" class={look} aria-label={t.fields.scanAQRCode} title={t.fields.scanAQRCode} onClick={() => setScanning(true)}>
          <Icon name="camera" />
          {!small && t.fields.scanAQRCode}
        </button>
      )}
      <button type="button" class={look} {...(small && { "aria-label": t.fields.pictureOfAQRCode, title: t.fields.pictureOfAQRCode })} onClick={() => file.current?.click()}>
        <Icon name="picture" />
        {!small && t.fields.readAPictureOfOne}
      </button>
      <input
        ref={file}
        type="file"
        accept="image/*"
        multiple
        hidden
        onChange={(event) => {
          const { currentTarget: input } = event;
          // The same file can be chosen again.
          void readAll([...(input.files ?? [])]).finally(() => (input.value = ""));
        }}
      />
      {scanning && (
        <Camera
          onClose={() => setScanning(false)}
          onPicture={() => {
            setScanning(false);
            file.current?.click();
          }}
          onText={(text) => {
            setScanning(false);
            onText(text);
          }}
        />
      )}
    </>
  );
}

interface CameraProps {
  onText(text: string): void;
  onPicture(): void;
  onClose(): void;
}

function Camera({ onText, onPicture, onClose }: CameraProps) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  const [seen, setSeen] = useState({ read: 0, count: 0 });
  useEffect(() => {
    let closed = false;
    let stream: MediaStream | undefined;
    const frames = new Frames();
    const release = (): void => stream?.getTracks().forEach((track) => track.stop());
    const watch = async (): Promise<void> => {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      const shown = video.current;
      if (closed || !shown) return release();
      shown.srcObject = stream;
      await shown.play();
      while (!closed) {
        const text = await readQr(shown, FRAME_MS);
        if (closed) return;
        const whole = text !== undefined && isFrame(text) ? frames.add(text) : text;
        if (whole !== undefined) return onText(whole);
        if (text !== undefined) setSeen(frames.read);
        await new Promise(requestAnimationFrame);
      }
    };
    watch().catch(() => closed || setFailed(true));
    return () => {
      closed = true;
      release();
    };
  }, []);
  return (
    <Dialog title={t.fields.scanAQRCode} onClose={onClose}>
      {failed ? (
        <>
          <p role="alert">{t.fields.theCameraCantBeUsed}</p>
          <div class="actions">
            <button type="button" class="button" onClick={onPicture}>{t.fields.readAPictureOfOne}</button>
          </div>
        </>
      ) : (
        <>
          <p class="quiet-text">{t.fields.holdTheCodeBeforeThe}</p>
          <p role="status">{seen.count > 0 && t.fields.codesRead(seen.read, seen.count)}</p>
          <video ref={video} class="camera" muted playsInline aria-label={t.fields.whatTheCameraSees} />
        </>
      )}
    </Dialog>
  );
}
