// Transactions, a line each.
import type { Activity, ContractCall, Kind } from "../engine/api";
import { isAccepted } from "../state/acceptance";
import { tokenOf } from "../state/wallet";
import { contactAt, labelOf } from "../state/book";
import { clean, day, plural, shortId, time, timeOfDay } from "../text";
import { Amount } from "./Amount";
import { Icon, type IconName } from "./Icon";

const LOOKS: Record<Kind, [title: string, icon: IconName]> = {
  received: ["Received", "receive"],
  sent: ["Sent", "send"],
  moved: ["Moved within the wallet", "move"],
  swap: ["Swapped", "swap"],
  call: ["Called", "contract"],
  blueprint: ["Published a blueprint", "contract"],
  creation: ["Created token", "tokens"],
  nft: ["Created NFT", "picture"],
  mint: ["Minted", "plus"],
  melt: ["Melted", "flame"],
  data: ["Wrote data", "data"],
  reward: ["Mined a block", "tokens"],
};

/** The method by which a contract is made. */
const INITIALIZE = "initialize";

export function titleOf({ kind, id, call }: Activity): string {
  const [title] = LOOKS[kind];
  if (kind === "call" && call) return call.method === INITIALIZE ? "Created a contract" : `${title} ${clean(call.method)}`;
  return kind === "creation" || kind === "nft" ? `${title} ${clean(tokenOf(id).name)}` : title;
}

/** `Bet 00ab12cd…34ef56`, or the identifier alone where nobody knows what the contract is made of. */
const nameOf = ({ contract, blueprint }: ContractCall): string => `${blueprint ? clean(blueprint.name) : "contract"} ${shortId(contract)}`;

/** Whether it brings nothing but tokens that are not accepted. */
const isUnasked = ({ kind, changes }: Activity): boolean =>
  kind === "received" && changes.length > 0 && changes.every(({ token }) => !isAccepted(token));

function about(activity: Activity): string | undefined {
  const { kind, to, data, call } = activity;
  // Who sends such tokens has something to advertise.
  if (isUnasked(activity)) return undefined;
  if (call) return call.mine ? nameOf(call) : `${nameOf(call)}, called by ${shortId(call.caller)}`;
  if (kind === "swap") return to.length > 1 ? `with ${plural(to.length, "address", "addresses")}` : to[0] && `with ${shortId(to[0])}`;
  // What comes in also pays its sender's change.
  if (kind !== "sent") return data[0] === undefined ? undefined : `“${clean(data[0])}”`;
  if (to.length > 1) return `to ${plural(to.length, "address", "addresses")}`;
  return to[0] && `to ${contactAt(to[0])?.name ?? shortId(to[0])}`;
}

interface Props {
  activities: Activity[];
  onOpen(id: string): void;
  /** Puts those of one day together, under its name. */
  days?: boolean;
}

export function ActivityList({ activities, onOpen, days = false }: Props) {
  if (!days) return <Lines activities={activities} onOpen={onOpen} write={time} />;
  const groups = new Map<string, Activity[]>();
  for (const activity of activities) {
    const name = day(activity.time);
    groups.set(name, [...(groups.get(name) ?? []), activity]);
  }
  return (
    <>
      {[...groups].map(([name, ofDay]) => (
        <section key={name} class="day" aria-label={name}>
          <h3>{name}</h3>
          <Lines activities={ofDay} onOpen={onOpen} write={timeOfDay} />
        </section>
      ))}
    </>
  );
}

function Lines({ activities, onOpen, write }: Props & { write(seconds: number): string }) {
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
                <StateTag activity={activity} />
                {isUnasked(activity) && <em class="tag tag-quiet">not accepted</em>}
              </span>
              <span class="activity-about">
                <time dateTime={new Date(activity.time * 1_000).toISOString()}>{write(activity.time)}</time>
                {about(activity) && <bdi> · {about(activity)}</bdi>}
              </span>
              {labelOf(activity.id) && <span class="activity-label">{labelOf(activity.id)}</span>}
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

function StateTag({ activity: { voided, call } }: { activity: Activity }) {
  if (call?.execution === "failure") return <em class="tag tag-bad">failed</em>;
  if (voided) return <em class="tag tag-bad">voided</em>;
  if (call?.execution === "pending") return <em class="tag tag-quiet">waiting for its block</em>;
  return null;
}
