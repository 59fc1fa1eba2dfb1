import { reasonSays } from '../../domain/reason.js';
import { type DeadLetterGroup, letterStates } from '../../ports/dead-letter-store.js';
import { groupName } from '../letter-groups.js';
import { Choice, Live, Words } from '../parts/filters.js';
import { count, counted, duration } from '../parts/format.js';
import { Heads } from '../parts/heads.js';
import { Pager } from '../parts/pager.js';
import { ShortId } from '../parts/short-id.js';
import { otherPrompts, SpecGone } from '../parts/spec-gone.js';
import { Time } from '../parts/time.js';
import { withQuery } from '../query.js';
import type { LettersShown } from './letters-shown.js';
import { RedrivePane } from './redrive-pane.js';

const path = '/console/dead-letters';

export function deadLettersPage(shown: LettersShown) {
  const { groups, spec, tenant, now } = shown;
  const parked = groups.reduce((sum, group) => sum + group.count, 0);
  const specIds = [...new Set(shown.specs.map(({ id }) => id))].sort();
  return (
    <>
      <div class="head">
        <div>
          <h1>Dead letters</h1>
          <p>
            <b>{count(parked)}</b> parked, each with its ID, frozen policy and reason. Grouped by reason,
            class and prompt.
          </p>
        </div>
        <Live at={now} />
      </div>
      <form class="filters" action={path} data-filters aria-label="Filters">
        <Choice name="spec" label="Spec" value={spec} options={specIds} />
        {shown.visitor.tenant !== null ? null : <Words name="tenant" label="Tenant" value={tenant} />}
        <Choice name="state" label="Listed" value={shown.state} options={letterStates} any={null} />
        <button type="submit" data-without-script>
          Filter
        </button>
      </form>
      <div class="columns wide-narrow letter-columns">
        <Groups shown={shown} parked={parked} />
        {groups.length === 0 && shown.redrives.length === 0 ? null : <RedrivePane shown={shown} />}
        <Letters shown={shown} />
      </div>
    </>
  );
}

/** Nothing is parked: because nothing ever ran, or because what was exhausted went another way. */
function Empty({ hasRun }: { readonly hasRun: boolean }) {
  return hasRun ? (
    <>
      No dead letters: whatever was exhausted landed elsewhere, or was run again.{' '}
      <a href="/console/extractions?outcome=unverified">See where.</a>
    </>
  ) : (
    <>
      No dead letters: nothing was extracted yet. Hand in a document:{' '}
      <code>npx endstop extract FILE --spec claim</code>
    </>
  );
}

function Groups({ shown, parked }: { readonly shown: LettersShown; readonly parked: number }) {
  const { groups, chosen, spec, tenant, state, now } = shown;
  if (groups.length === 0) {
    return (
      <section id="groups" data-live>
        <p class="empty">
          {spec !== undefined || tenant !== undefined ? (
            <>
              No dead letters under these filters. <a href={path}>Clear filters.</a>
            </>
          ) : (
            <Empty hasRun={shown.hasRun} />
          )}
        </p>
      </section>
    );
  }
  const names = new Set(chosen.map(groupName));
  const most = Math.max(...groups.map((group) => group.count));
  const oldest = Math.min(...groups.map(({ oldestAt }) => oldestAt));
  return (
    <section id="groups" data-live>
      <form id="choose" action={path} data-choose>
        {Object.entries({
          spec,
          tenant,
          state,
          ...(chosen.length > 0 ? {} : { with: shown.prompt ?? undefined, rate: String(shown.perMinute) }),
        }).map(([name, value]) =>
          value === undefined ? null : <input type="hidden" name={name} value={value} />,
        )}
        <table class="rows folds">
          <Heads
            columns={[
              ['Choose', 'aloud'],
              'Reason',
              'Class',
              'Spec, prompt',
              ['Parked', 'num'],
              ['', 'bars'],
              ['Oldest', 'num'],
            ]}
          />
          <tbody>
            {groups.map((group) => {
              const name = groupName(group);
              const isChosen = names.has(name);
              const words = `${group.reason}, ${group.failureClass ?? 'no reply read'}, ${group.specId} ${group.promptVersion}`;
              return (
                <tr class={isChosen ? 'chosen' : ''}>
                  <td>
                    <label class="tick">
                      <input
                        type="checkbox"
                        name="g"
                        value={name}
                        checked={isChosen}
                        aria-label={`Choose ${words}: ${group.count} parked`}
                      />
                    </label>
                  </td>
                  <td>
                    <a
                      class="reason"
                      href={withQuery(path, { spec, tenant, state, open: name })}
                      title={reasonSays[group.reason]}
                    >
                      {group.reason}
                    </a>
                  </td>
                  <td>
                    {group.failureClass === null ? (
                      <span class="grey">no reply read</span>
                    ) : (
                      <span class="class">{group.failureClass}</span>
                    )}
                  </td>
                  <td>
                    {group.specId} <span class="grey">{group.promptVersion}</span>
                  </td>
                  <td class="num" data-label="parked">
                    <b>{count(group.count)}</b>
                  </td>
                  <td class="bars">
                    <svg viewBox="0 0 120 8" preserveAspectRatio="none" aria-hidden="true">
                      <rect
                        width={Math.max(1, (120 * group.count) / most)}
                        height="8"
                        class={isChosen ? 's-accent' : 's-ink'}
                      />
                    </svg>
                  </td>
                  <td class="num" data-label="oldest">
                    {duration(now - group.oldestAt)}
                  </td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <td />
              <th scope="row" colspan={3}>
                {counted(groups.length, 'group')}
              </th>
              <td class="num" data-label="parked">
                {count(parked)}
              </td>
              <td class="bars" />
              <td class="num" data-label="oldest">
                {duration(now - oldest)}
              </td>
            </tr>
          </tfoot>
        </table>
        <p class="more">
          <span>
            {chosen.length === 0 ? (
              <span class="grey">Choose groups to see what running them again would come to.</span>
            ) : (
              <b class="t-accent">
                {counted(chosen.length, 'group')},{' '}
                {count(chosen.reduce((sum, group) => sum + group.count, 0))} documents chosen
              </b>
            )}
          </span>
          <span class="buttons">
            {chosen.length === 0 ? null : <a href={withQuery(path, { spec, tenant, state })}>Clear</a>}
            <button type="submit" data-without-script>
              Look
            </button>
          </span>
        </p>
      </form>
    </section>
  );
}

/** What keeps a group parked that no worker had the spec of, and how to run it all the same. */
function Gone({ shown, open }: { readonly shown: LettersShown; readonly open: DeadLetterGroup }) {
  const { specs, spec, tenant, state } = shown;
  const { specId, schemaVersion, promptVersion } = open;
  const version = { spec: specId, schemaVersion, promptVersion };
  const prompts = otherPrompts(specs, version);
  const under = (prompt: string) =>
    withQuery(path, { spec, tenant, state, g: groupName(open), with: prompt });
  return (
    <div class="band">
      <SpecGone
        version={version}
        specs={specs}
        then="choose this group and redrive it"
        instead={
          prompts.length === 0 ? null : (
            <>
              Or redrive it under another prompt:{' '}
              {prompts.map((prompt) => (
                <>
                  <a href={under(prompt)}>look at prompt {prompt}</a>{' '}
                </>
              ))}
            </>
          )
        }
      />
    </div>
  );
}

function Letters({ shown }: { readonly shown: LettersShown }) {
  const { open, rows, nextCursor, state, spec, tenant } = shown;
  // Where none is parked, the groups say so.
  if (rows.length === 0 && open === null && state === 'parked') return null;
  return (
    <section id="letters" data-live>
      <div class="title">
        <h2>
          {open === null ? (
            `Letters, ${state}`
          ) : (
            <>
              <code>{open.reason}</code> ×{' '}
              {open.failureClass === null ? 'no reply read' : <code>{open.failureClass}</code>} ×{' '}
              {open.specId} {open.promptVersion}
            </>
          )}
        </h2>
        <span>
          {open === null ? null : <a href={withQuery(path, { spec, tenant, state })}>Show all groups</a>} the
          oldest first
        </span>
      </div>
      {open?.reason === 'spec_unavailable' ? <Gone shown={shown} open={open} /> : null}
      {rows.length === 0 ? (
        <p class="empty">None is {state}.</p>
      ) : (
        <div class="scroll">
          <table class="rows folds">
            <Heads columns={['ID', 'Document', 'Tenant', 'Reason', 'State', ['Parked', 'num']]} />
            <tbody>
              {rows.map((row) => (
                <tr>
                  <td>
                    <a class="mono nowrap" href={`/console/extractions/${row.id}`}>
                      <ShortId id={row.id} />
                    </a>
                  </td>
                  <td class="full">
                    {row.fileName === null ? <span class="grey">no name</span> : <bdi>{row.fileName}</bdi>}
                  </td>
                  <td>
                    <bdi>{row.tenant}</bdi>
                  </td>
                  <td>
                    <span class="reason">{row.reason}</span>
                  </td>
                  <td class="second">{row.state}</td>
                  <td class="num">
                    <Time at={row.at} />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Pager
        {...{ of: 'letters', path, nextCursor, isFirst: shown.isFirst }}
        words={{ spec, tenant, state, open: open === null ? undefined : groupName(open) }}
        first="To the oldest"
        next="Newer"
      />
    </section>
  );
}
