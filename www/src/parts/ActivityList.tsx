// Transactions, a line each.
import type { Activity, Kind } from "../engine/api";
import { tokenOf } from "../state/wallet";
import { clean, plural, shortId, time } from "../text";
import { Amount } from "./Amount";
import { Icon, type IconName } from "./Icon";

const LOOKS: Record<Kind, [title: string, icon: IconName]> = {
  received: ["Received", "receive"],
  sent: ["Sent", "send"],
  moved: ["Moved within the wallet", "move"],
  creation: ["Created token", "tokens"],
  nft: ["Created NFT", "picture"],
  mint: ["Minted", "plus"],
  melt: ["Melted", "flame"],
  data: ["Wrote data", "data"],
  reward: ["Mined a block", "tokens"],
};

export function titleOf({ kind, id }: Activity): string {
  const [title] = LOOKS[kind];
  return kind === "creation" || kind === "nft" ? `${title} ${clean(tokenOf(id).name)}` : title;
}

function about({ kind, to, data }: Activity): string | undefined {
  // What comes in also pays its sender's change.
  if (kind !== "sent") return data[0] === undefined ? undefined : `“${clean(data[0])}”`;
  if (to.length > 1) return `to ${plural(to.length, "address", "addresses")}`;
  return to[0] && `to ${shortId(to[0])}`;
}

interface Props {
  activities: Activity[];
  onOpen(id: string): void;
}

export function ActivityList({ activities, onOpen }: Props) {
  return (
    <ul class="activities">
      {activities.map((activity) => (
        <li key={activity.id}>
          <button type="button" class={activity.voided ? "activity voided" : "activity"} onClick={() => onOpen(activity.id)}>
            <span class={`badge badge-${activity.kind}`}>
              <Icon name={LOOKS[activity.kind][1]} />
            </span>
            <span class="activity-what">
              <span class="activity-title">
                {titleOf(activity)}
                {activity.voided && <em class="tag tag-bad">voided</em>}
              </span>
              <span class="activity-about">
                <time dateTime={new Date(activity.time * 1_000).toISOString()}>{time(activity.time)}</time>
                {about(activity) && <bdi> · {about(activity)}</bdi>}
              </span>
            </span>
            <span class="activity-amounts">
              {activity.changes.map(({ token, amount }) => (
                <Amount key={token} cents={amount} token={token} signed />
              ))}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
