import { titleAt } from '../../application/review-fields.js';
import { readable } from '../amounts.js';
import { Time } from '../parts/time.js';
import { Value } from '../parts/values.js';
import type { Conflict, Desk } from '../review-desk.js';

/** What happened while somebody worked, their value beside one's own. Nothing was overwritten, nothing is chosen for anybody. */
export function ConflictStrip({ conflict, desk }: { readonly conflict: Conflict; readonly desk: Desk }) {
  const { says, at, isOpen, rows } = conflict;
  return (
    <div class="band conflict" role="alert" id="conflict">
      <h2>{says}</h2>
      <p>
        {at === null ? null : (
          <>
            <Time at={at} />.{' '}
          </>
        )}
        {isOpen
          ? 'Your values are still in the form. Choose for each field which one stays; then decide.'
          : 'Nothing is left to decide. Your values are still here, and were not written anywhere over theirs.'}
      </p>
      {rows.length === 0 ? (
        <p>
          <b>Both hold the same values.</b>
        </p>
      ) : (
        <div class="scroll">
          <table>
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">{isOpen ? 'The new candidate' : 'Theirs'}</th>
                <th scope="col">Yours</th>
                {isOpen ? (
                  <th scope="col">
                    <span class="aloud">Choose</span>
                  </th>
                ) : null}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ pointer, theirs, yours }) => (
                <tr data-choice={pointer}>
                  <th scope="row">{titleAt(desk.spec?.fields ?? {}, pointer) ?? <code>{pointer}</code>}</th>
                  <td>
                    <Value value={readable(desk.spec, pointer, theirs)} />
                  </td>
                  <td>
                    <Value value={readable(desk.spec, pointer, yours)} />
                  </td>
                  {isOpen ? (
                    <td class="nowrap">
                      <button type="button" data-put={typeof theirs === 'string' ? theirs : ''}>
                        Take theirs
                      </button>{' '}
                      <button
                        type="button"
                        data-put={typeof yours === 'string' ? yours : ''}
                        aria-pressed="true"
                      >
                        Keep mine
                      </button>
                    </td>
                  ) : null}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  );
}
