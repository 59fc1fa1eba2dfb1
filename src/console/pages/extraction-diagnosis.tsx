import { reasonSays } from '../../domain/reason.js';
import { readable } from '../amounts.js';
import { Confirm, RunCosts } from '../parts/confirm.js';
import { ContradictionTable } from '../parts/contradiction.js';
import { counted } from '../parts/format.js';
import { Mark } from '../parts/marks.js';
import { otherPrompts, policyOf, SpecGone } from '../parts/spec-gone.js';
import { Time } from '../parts/time.js';
import { mayAs } from '../visitor.js';
import type { ExtractionShown } from './extraction-shown.js';

/** Why it ended as it did, and what to do where the reason alone does not say. */
export function Diagnosis({ shown }: { readonly shown: ExtractionShown }) {
  const { reading, extraction } = shown;
  if (extraction.erasedAt !== null) {
    return (
      <section class="band plain">
        <h2>What it said was erased</h2>
        <p>
          On <Time at={extraction.erasedAt} form="day" />. What became of it stays in the counts.
        </p>
      </section>
    );
  }
  const outcome = reading?.outcome ?? null;
  if (outcome === null) return shown.spec === null ? <Unknown shown={shown} /> : null;
  if (outcome.kind === 'verified') {
    return (
      <section class="band plain">
        <h2>Verified</h2>
        <p>
          Every rule of {outcome.verifierVersion} holds
          {outcome.normalisations.length === 0
            ? '; the reply was read as it came.'
            : `; reading it took ${counted(outcome.normalisations.length, 'harmless normalisation')}.`}
        </p>
      </section>
    );
  }
  const { diagnosis, reason } = outcome;
  if (diagnosis?.kind === 'contradiction') {
    return (
      <section class="band">
        <h2>No value of {diagnosis.pointer.split('/').at(-1)?.replaceAll('_', ' ')} satisfies both rules.</h2>
        <p>{diagnosis.explanation ?? 'Each rule can be met alone, so every attempt looks one edit away.'}</p>
        <ContradictionTable
          rules={diagnosis.rules}
          values={diagnosis.values}
          shown={(value) => readable(shown.spec, diagnosis.pointer, value)}
        />
      </section>
    );
  }
  return (
    <section class="band plain">
      <h2>{capital(reasonSays[reason])}</h2>
      {diagnosis?.kind === 'oscillation' ? (
        <p>
          It alternated between <code>{diagnosis.rules.join(', ')}</code>.
        </p>
      ) : diagnosis?.kind === 'unreadable' ? (
        <p>
          The document is <code>{diagnosis.fault}</code>; no call was made.
        </p>
      ) : reason === 'spec_unavailable' ? (
        <SpecGone
          version={shown.run}
          specs={shown.specs}
          then="redrive it"
          instead={<Under shown={shown} />}
        />
      ) : (
        <p>
          {outcome.bestEffort === null
            ? 'No whole candidate was read.'
            : `The best candidate leaves ${counted(new Set(outcome.unmet.map(({ rule }) => rule)).size, 'rule')} unmet.`}
        </p>
      )}
      {reading?.humanRecord === null || reading === null ? null : (
        <p>
          <Mark sign={reading.humanRecord.status === 'human_verified' ? 'verified' : 'dead_letter'}>
            {reading.humanRecord.status === 'human_verified'
              ? 'Human verified since'
              : 'Rejected by a person since'}
          </Mark>
        </p>
      )}
    </section>
  );
}

/** A run under way whose spec this server has not: it may wait for a worker that never comes. */
function Unknown({ shown: { run } }: { readonly shown: ExtractionShown }) {
  return (
    <section class="band">
      <h2>This server does not have its spec version.</h2>
      <p>
        {run.spec} schema {run.schemaVersion}, prompt {run.promptVersion}: if no worker has it either, the run
        waits for one within its deadline and then ends as <span class="reason">spec_unavailable</span>. Start
        the workers with its file: <code>ENDSTOP_SPECS=FILE npx endstop up</code>
      </p>
    </section>
  );
}

/** A button for each other prompt that it could run under. */
function Under({ shown: { run, newest, specs, visitor } }: { readonly shown: ExtractionShown }) {
  const prompts = otherPrompts(specs, run);
  if (prompts.length === 0 || run.run < newest.run) return null;
  return mayAs(visitor, 'operate') ? (
    <form method="post" action={`/console/extractions/${run.id}/redrive`} class="buttons">
      Or run it under another prompt:{' '}
      {prompts.map((prompt, index) => (
        <Confirm
          id={`under-${index}`}
          word={`Redrive under ${prompt}`}
          asks={`Run it under prompt ${prompt}?`}
          go={{ word: 'Run it', name: 'with', value: prompt }}
        >
          <RunCosts policy={policyOf(specs, run, prompt) ?? newest.policy} />
        </Confirm>
      ))}
    </form>
  ) : (
    <>Or have somebody who may operate redrive it under prompt {prompts.join(' or ')}.</>
  );
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
