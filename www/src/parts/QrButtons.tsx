// Reads a QR code: by the camera where there is one, and of a picture everywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { notify } from "../state/notices";
import { Dialog } from "./Dialog";
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
  const look = small ? "button small" : "button";
  const [scanning, setScanning] = useState(false);
  const file = useRef<HTMLInputElement>(null);

  const read = async (picture: File | undefined): Promise<void> => {
    if (!picture) return;
    const text = await createImageBitmap(picture).then((bitmap) => readQr(bitmap, PICTURE_MS), () => undefined);
    if (text === undefined) notify(t.fields.thereIsNoQRCode, "bad");
    else onText(text);
  };
  return (
    <>
      {"mediaDevices" in navigator && (
        <button type="button" class={look} aria-label={t.fields.scanAQRCode} onClick={() => setScanning(true)}>
          <Icon name="camera" />
          {small ? t.fields.scan : t.fields.scanAQRCode}
        </button>
      )}
      <button type="button" class={look} {...(small && { "aria-label": t.fields.pictureOfAQRCode })} onClick={() => file.current?.click()}>
        <Icon name="picture" />
        {small ? t.fields.picture : t.fields.readAPictureOfOne}
      </button>
      <input
        ref={file}
        type="file"
        accept="image/*"
        hidden
        onChange={(event) => {
          const { currentTarget: input } = event;
          // The same file can be chosen again.
          void read(input.files?.[0]).finally(() => (input.value = ""));
        }}
      />
      {scanning && (
        <Camera
          onClose={() => setScanning(false)}
          onText={(text) => {
            setScanning(false);
            onText(text);
          }}
        />
      )}
    </>
  );
}

function Camera({ onText, onClose }: { onText(text: string): void; onClose(): void }) {
  const video = useRef<HTMLVideoElement>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    let closed = false;
    let stream: MediaStream | undefined;
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
        if (text !== undefined) return onText(text);
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
        <p role="alert">{t.fields.theCameraCantBeUsed}</p>
      ) : (
        <p class="quiet-text">{t.fields.holdTheCodeBeforeThe}</p>
      )}
      <video ref={video} class="camera" muted playsInline aria-label={t.fields.whatTheCameraSees} />
    </Dialog>
  );
}
