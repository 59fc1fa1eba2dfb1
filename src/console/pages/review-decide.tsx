import { Confirm, RunCosts } from '../parts/confirm.js';
import { mayAs } from '../visitor.js';
import type { ReviewShown, Standing } from './review-shown.js';

/** What deciding with these values is: agreement with the machine, or a correction. */
const approveWords = {
  approve: { exhausted: 'Approve, next', sample: 'It is right, next' },
  correct: { exhausted: 'Correct, next', sample: 'Correct it, next' },
} as const;

/** Overrides with their reason, and the decisions. */
export function Decide({ shown, standing }: { readonly shown: ReviewShown; readonly standing: Standing }) {
  const { desk } = shown;
  const { sheet, check, spec, note, overrides, conflict } = desk;
  if (standing !== 'mine') return <Instead shown={shown} standing={standing} />;
  const rules = check?.overrides ?? [];
  const isSample = sheet.kind === 'sample';
  const isKnown = spec !== null;
  return (
    <div class="decide">
      <div class="override">
        <div id="overrides" data-name={shown.visitor.name}>
          {rules.map((rule) => (
            <label class="override-rule">
              <input type="checkbox" name="o" value={rule} checked={overrides.includes(rule)} />
              <span>
                <b>Override</b> <code>{rule}</code> for this record, in the name of{' '}
                <bdi>{shown.visitor.name}</bdi>
              </span>
            </label>
          ))}
        </div>
        <label class="reason-line">
          <span class="aloud">Reason, for an override or a rejection</span>
          <input
            name="note"
            id="note"
            value={note}
            maxlength={10_000}
            placeholder="Reason, for an override or a rejection"
            dir="auto"
          />
        </label>
      </div>
      <div class="buttons verbs">
        {isKnown ? (
          <button type="submit" name="verb" value="approve" class="go" id="approve" data-command="approve">
            <span
              id="approve-word"
              data-approve={approveWords.approve[isSample ? 'sample' : 'exhausted']}
              data-correct={approveWords.correct[isSample ? 'sample' : 'exhausted']}
            >
              {approveWords[desk.stands][isSample ? 'sample' : 'exhausted']}
            </span>
            <kbd data-key-of="approve">Ctrl ↵</kbd>
          </button>
        ) : null}
        <button type="submit" name="verb" value="reject" data-command="reject">
          Reject <kbd data-key-of="reject">Alt R</kbd>
        </button>
        <button type="submit" name="verb" value="not_in_document" data-command="not-in-document">
          Not in document <kbd data-key-of="not-in-document">Alt N</kbd>
        </button>
        {isSample || spec === null ? null : (
          <Confirm
            id="ask-redrive"
            command="redrive"
            word={
              <>
                Redrive <kbd data-key-of="redrive">Alt V</kbd>
              </>
            }
            asks="Run this document again?"
            go={{ word: 'Redrive', name: 'verb', value: 'redrive' }}
          >
            <p>A new run begins from nothing, and this review ends without a record.</p>
            <RunCosts policy={spec.policy} />
          </Confirm>
        )}
        {conflict === null ? null : <span class="small second">decides version {sheet.version}</span>}
        <button
          type="submit"
          formaction={`/console/reviews/${sheet.id}/compare`}
          id="compare"
          hidden
          formnovalidate
        >
          Compare
        </button>
      </div>
    </div>
  );
}

/** Why nothing can be decided here now, and what can be done about it. */
function Instead({ shown, standing }: { readonly shown: ReviewShown; readonly standing: Standing }) {
  const { desk, visitor } = shown;
  const { sheet } = desk;
  const says = {
    free: 'Take the review to work on it; nobody else can decide it meanwhile.',
    held: (
      <>
        <bdi>{sheet.holder ?? 'Somebody'}</bdi> works on it. You see it as the machine left it.
      </>
    ),
    settled: 'It is settled; see the history for who decided what.',
    onlooker: `You may look. Deciding needs a key with the role "review"; yours has ${visitor.roles.join(', ')}.`,
    mine: '',
  }[standing];
  return (
    <div class="decide">
      <p class="second">{says}</p>
      <div class="buttons">
        {standing === 'free' && mayAs(visitor, 'review') ? (
          <button type="submit" formaction={`/console/reviews/${sheet.id}/claim`} class="go">
            Take it
          </button>
        ) : (
          <a class="button" href="/console/reviews">
            To the queue
          </a>
        )}
        {(standing === 'held' || standing === 'settled') && mayAs(visitor, 'review') ? (
          <button type="submit" formaction="/console/reviews/next" formnovalidate>
            Take the next free one
          </button>
        ) : null}
      </div>
    </div>
  );
}
