// Reads a QR code: by the camera where there is one, and of a picture everywhere.
import { useEffect, useRef, useState } from "preact/hooks";
import { notify } from "../state/notices";
import { Dialog } from "./Dialog";
import { Icon } from "./Icon";
import { readQr } from "./readQr";

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
    if (text === undefined) notify("There is no QR code to be read in this picture.", "bad");
    else onText(text);
  };
  return (
    <>
      {"mediaDevices" in navigator && (
        <button type="button" class={look} aria-label="Scan a QR code" onClick={() => setScanning(true)}>
          <Icon name="camera" />
          {small ? "Scan" : "Scan a QR code"}
        </button>
      )}
      <button type="button" class={look} {...(small && { "aria-label": "Picture of a QR code" })} onClick={() => file.current?.click()}>
        <Icon name="picture" />
        {small ? "Picture" : "Read a picture of one"}
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
    <Dialog title="Scan a QR code" onClose={onClose}>
      {failed ? (
        <p role="alert">The camera can't be used. Allow this page to use it, or read a picture of the code.</p>
      ) : (
        <p class="quiet-text">Hold the code before the camera. What it sees stays in this page.</p>
      )}
      <video ref={video} class="camera" muted playsInline aria-label="What the camera sees" />
    </Dialog>
  );
}
