// What an NFT's data shows: a picture, where it leads, or its text. Nothing is fetched from a stranger's server unasked: it
// would learn who looks.
import { useEffect, useState } from "preact/hooks";
import { clean } from "../text";
import { Icon } from "./Icon";
import { t } from "../words";

type Meaning =
  | { kind: "picture"; src: string }
  | { kind: "remote"; src: string; host: string; picture: boolean }
  | { kind: "text" };

const PICTURE = /\.(apng|avif|gif|jpe?g|png|svg|webp)$/i;
const GATEWAY = "https://ipfs.io/ipfs/";

export function meaningOf(data: string): Meaning {
  if (/^data:image\/[a-z0-9.+-]+[;,]/i.test(data)) return { kind: "picture", src: data };
  const ipfs = /^ipfs:\/\/(?:ipfs\/)?(.+)$/i.exec(data);
  try {
    const url = new URL(ipfs ? GATEWAY + ipfs[1] : data);
    if (url.protocol !== "https:") return { kind: "text" };
    // An IPFS address often has no ending that tells what it is.
    const picture = PICTURE.test(url.pathname) || (ipfs !== null && !/\.\w+$/.test(url.pathname));
    return { kind: "remote", src: url.href, host: url.host, picture };
  } catch {
    return { kind: "text" };
  }
}

export function NftPreview({ data, name }: { data: string; name: string }) {
  const [asked, setAsked] = useState(false);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setAsked(false);
    setFailed(false);
  }, [data]);
  const meaning = meaningOf(data);
  if (failed) return <p class="nft-frame nft-text">{t.tokens.thisPictureCantBeShown}</p>;
  if (meaning.kind === "picture" || (meaning.kind === "remote" && asked)) {
    return (
      <div class="nft-frame">
        <img src={meaning.src} alt={t.tokens.pictureOf(clean(name))} referrerpolicy="no-referrer" onError={() => setFailed(true)} />
      </div>
    );
  }
  if (meaning.kind === "remote") {
    return (
      <div class="nft-frame nft-remote">
        <Icon name={meaning.picture ? "picture" : "external"} />
        <bdi class="mono">{clean(data)}</bdi>
        {meaning.picture && (
          <button type="button" class="button" onClick={() => setAsked(true)}>{t.tokens.showThePicture}</button>
        )}
        <small>
          {meaning.picture ? t.tokens.asksForItWhichWill(meaning.host) : t.tokens.leadsTo(meaning.host)}
        </small>
      </div>
    );
  }
  return (
    <p class="nft-frame nft-text">
      <bdi>{data === "" ? t.tokens.whatYouWriteHereIs : data}</bdi>
    </p>
  );
}
