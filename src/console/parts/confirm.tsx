import type { Child } from 'hono/jsx';
import type { Policy } from '../../domain/policy.js';
import { cost, count, counted, duration } from './format.js';

/**
 * A button that asks before the form it stands in is sent: its dialog says what would happen and what that may cost, and
 * holds the button that sends it. The browser opens and closes the dialog by itself, so this takes no script.
 */
export function Confirm({
  id,
  word,
  asks,
  go,
  command,
  children,
}: {
  /** Of the dialog; one for each on a page. */
  readonly id: string;
  readonly word: Child;
  readonly asks: string;
  /** The button that sends the form, and what it sends with it. */
  readonly go: { readonly word: string; readonly name?: string; readonly value?: string };
  /** The command that presses the button, where keys do. */
  readonly command?: string;
  /** What happens then, in a sentence or two. */
  readonly children?: Child;
}) {
  const { word: does, ...sent } = go;
  return (
    <>
      <button
        type="button"
        popovertarget={id}
        aria-haspopup="dialog"
        {...(command === undefined ? {} : { 'data-command': command })}
      >
        {word}
      </button>
      <dialog id={id} popover="auto" class="confirm" aria-labelledby={`${id}-asks`}>
        <h2 id={`${id}-asks`}>{asks}</h2>
        <div>{children}</div>
        <div class="buttons">
          <button type="button" popovertarget={id} popovertargetaction="hide">
            Not now
          </button>
          <button type="submit" class="go" {...sent}>
            {does}
          </button>
        </div>
      </dialog>
    </>
  );
}

/** What ends one more run of a document at the latest. */
export function RunCosts({ policy }: { readonly policy: Policy }) {
  const { attemptCap, tokenCap, moneyCap, deadlineMs } = policy;
  const money = moneyCap === null ? [] : [cost(moneyCap)];
  const bounds = [`${count(tokenCap)} tokens`, ...money, counted(attemptCap, 'attempt')];
  return (
    <p>
      It may use <b>{bounds.join(', ')}</b> or <b>{duration(deadlineMs)}</b>, whichever comes first; then no
      further call is made.
    </p>
  );
}
