// Transactions, a line each.
import type { Activity, ContractCall, Kind } from "../engine/api";
import { isAccepted } from "../state/acceptance";
import { tokenOf } from "../state/wallet";
import { contactAt, labelOf } from "../state/book";
import { clean, day, shortId, time, timeOfDay } from "../text";
import { Amount } from "./Amount";
import { Icon, type IconName } from "./Icon";
import { meaningOf } from "./NftPreview";
import { t } from "../words";

const looks = (): Record<Kind, [title: string, icon: IconName]> => ({
  received: [t.history.received, "receive"],
  sent: [t.common.sent, "send"],
  moved: [t.history.movedWithinTheWallet, "move"],
  swap: [t.common.swapped, "swap"],
  call: [t.history.called, "contract"],
  blueprint: [t.history.publishedABlueprint, "contract"],
  creation: [t.history.createdToken, "tokens"],
  nft: [t.history.createdNFT, "picture"],
  mint: [t.common.minted, "plus"],
  melt: [t.common.melted, "flame"],
  data: [t.history.wroteData, "data"],
  reward: [t.history.minedABlock, "tokens"],
});

/** The method by which a contract is made. */
const INITIALIZE = "initialize";

export function titleOf({ kind, id, call }: Activity): string {
  const [title] = looks()[kind];
  if (kind === "call" && call) return call.method === INITIALIZE ? t.history.createdAContract : `${title} ${clean(call.method)}`;
  return kind === "creation" || kind === "nft" ? `${title} ${clean(tokenOf(id).name)}` : title;
}

/** `Bet 00ab12cd…34ef56`, or the identifier alone where nobody knows what the contract is made of. */
const nameOf = ({ contract, blueprint }: ContractCall): string => `${blueprint ? clean(blueprint.name) : t.history.contractInLine} ${shortId(contract)}`;

/** Whether it brings nothing but tokens that are not accepted. */
const isUnasked = ({ kind, changes }: Activity): boolean =>
  kind === "received" && changes.length > 0 && changes.every(({ token }) => !isAccepted(token));

/** A text that is kept on the ledger, in quotes; of a picture, that it is one. */
const quoted = (data: string): string => (meaningOf(data).kind === "picture" ? t.history.aPicture : `“${clean(data)}”`);

function about(activity: Activity): string | undefined {
  const { kind, to, data, call } = activity;
  // Who sends such tokens has something to advertise.
  if (isUnasked(activity)) return undefined;
  if (call) return call.mine ? nameOf(call) : t.history.callBy(nameOf(call), shortId(call.caller));
  if (kind === "swap") return to.length > 1 ? t.history.with(t.counts.addresses(to.length)) : to[0] && t.history.with(shortId(to[0]));
  // What comes in also pays its sender's change.
  if (kind !== "sent") return data[0] === undefined ? undefined : quoted(data[0]);
  if (to.length > 1) return t.history.to(t.counts.addresses(to.length));
  return to[0] && t.history.to(contactAt(to[0])?.name ?? shortId(to[0]));
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

function stateOf(activity: Activity): string {
  if (activity.voided) return "voided";
  return isUnasked(activity) ? "unasked" : "";
}

function Lines({ activities, onOpen, write }: Props & { write(seconds: number): string }) {
  return (
    <ul class="activities">
      {activities.map((activity) => (
        <li key={activity.id}>
          <button type="button" class={`activity ${stateOf(activity)}`} onClick={() => onOpen(activity.id)}>
            <Badge {...activity} />
            <span class="activity-what">
              <span class="activity-title">
                <span class="activity-name">{titleOf(activity)}</span>
                <StateTag activity={activity} />
                {isUnasked(activity) && <em class="tag tag-quiet">{t.common.notAccepted}</em>}
              </span>
              <span class="activity-about">
                <time dateTime={new Date(activity.time * 1_000).toISOString()}>{write(activity.time)}</time>
                {about(activity) && (
                  <bdi>
                    <span class="between">·</span> {about(activity)}
                  </bdi>
                )}
              </span>
              {labelOf(activity.id) && <span class="activity-label">{labelOf(activity.id)}</span>}
            </span>
            <span class="activity-amounts">
              {activity.changes.map(({ token, amount, exact }) => (
                <Amount key={token} cents={amount} exact={exact} token={token} signed />
              ))}
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}

/** An NFT's picture, if all of it is on the ledger; else what stands for the kind. */
function Badge({ kind, data: [data = ""] }: Activity) {
  const meaning = kind === "nft" ? meaningOf(data) : undefined;
  return (
    <span class={`badge badge-${kind}`}>
      {meaning?.kind === "picture" ? <img src={meaning.src} alt="" /> : <Icon name={looks()[kind][1]} />}
    </span>
  );
}

function StateTag({ activity: { voided, call } }: { activity: Activity }) {
  if (call?.execution === "failure") return <em class="tag tag-bad">{t.history.failed}</em>;
  if (voided) return <em class="tag tag-bad">{t.history.voided}</em>;
  if (call?.execution === "pending") return <em class="tag tag-quiet">{t.history.waitsForBlock}</em>;
  return null;
}
