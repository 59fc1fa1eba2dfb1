import type { DoctorCheck } from '../cli/commands/doctor.js';
import type { CliContext } from '../cli/context.js';
import { counted } from '../cli/format.js';
import type { OrphanDatabase } from '../embedded/orphan-databases.js';
import { EngineUnavailable } from '../ports/engine.js';
import { temporalServerOf } from './parts.js';

/** What the doctor asks of parts that only the entry points know: workers, and the models behind the specs. */
export function doctorChecks(context: CliContext): readonly DoctorCheck[] {
  return [
    {
      name: 'workers',
      needs: 'engine',
      run: async () => {
        const server = temporalServerOf(context.config());
        const { connect } = await import('../adapters/temporal/connection.js');
        const { lanesWithoutWorker } = await import('../adapters/temporal/pollers.js');
        const connection = await connect(server);
        try {
          const missing = await lanesWithoutWorker(connection, server.namespace);
          if (missing.length === 0) return 'every lane is polled';
          throw new EngineUnavailable(
            `No worker polls ${missing.join(', ')}: start one with "endstop worker --lanes ${missing.join(',')}".`,
          );
        } finally {
          await connection.close();
        }
      },
    },
    ...(process.getuid?.() === 0 ? [orphanCheck] : []),
    {
      name: 'model',
      run: async () => (await import('./model-server.js')).checkModelServer(context.config()),
    },
    {
      name: 'models',
      needs: 'model',
      run: async () => {
        const config = context.config();
        const { calledServer } = await import('./model-server.js');
        // Asking of another server, or with no key, would say nothing about the calls of the stack.
        if (calledServer(config)?.provider !== config.model.provider) {
          return 'not asked of the server of the stack: this shell has not its ANTHROPIC_* variables';
        }
        const catalogue = await context.catalogue([]);
        const { checkModels } = await import('./model.js');
        const findings = await checkModels(config, catalogue.list());
        const error = findings.find(({ severity }) => severity === 'error');
        if (error !== undefined) throw new EngineUnavailable(error.message);
        return findings.map(({ message }) => message).join(' ') || 'they do what the specs ask';
      },
    },
  ];
}

const mostNamed = 5;

/** Databases that root's stacks left behind: a state folder that was deleted does not take its own along. */
const orphanCheck: DoctorCheck = {
  name: 'leftovers',
  run: async ({ removeOrphans: mayRemove }) => {
    const { orphanDatabases, removeOrphans } = await import('../embedded/orphan-databases.js');
    const found = mayRemove ? removeOrphans() : orphanDatabases();
    return orphanText(found, mayRemove);
  },
};

export function orphanText(found: readonly OrphanDatabase[], removed: boolean): string {
  if (found.length === 0) return 'no database of a state folder that is gone';
  const homes = found.slice(0, mostNamed).map(({ home }) => home);
  const more = found.length > mostNamed ? `, and ${found.length - mostNamed} more` : '';
  const what = `${counted(found.length, 'database')} of state folders that are gone (${homes.join(', ')}${more})`;
  return removed ? `deleted ${what}` : `${what}: "endstop doctor --remove-orphans" deletes them for good`;
}
