import type { DoctorCheck } from '../cli/commands/doctor.js';
import type { CliContext } from '../cli/context.js';
import { EngineUnavailable } from '../ports/engine.js';
import { temporalServerOf } from './parts.js';

/** What the doctor asks of parts that only the entry points know: workers, and the models behind the specs. */
export function doctorChecks(context: CliContext): readonly DoctorCheck[] {
  return [
    {
      name: 'workers',
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
    {
      name: 'models',
      run: async () => {
        const catalogue = await context.catalogue([]);
        const { checkModels } = await import('./model.js');
        const findings = await checkModels(context.config(), catalogue.list());
        const error = findings.find(({ severity }) => severity === 'error');
        if (error !== undefined) throw new EngineUnavailable(error.message);
        return findings.map(({ message }) => message).join(' ') || 'they do what the specs ask';
      },
    },
  ];
}
