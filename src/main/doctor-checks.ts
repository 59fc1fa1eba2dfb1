import { connect } from '../adapters/temporal/connection.js';
import { lanesWithoutWorker } from '../adapters/temporal/pollers.js';
import type { DoctorCheck } from '../cli/commands/doctor.js';
import type { CliContext } from '../cli/context.js';
import { EngineUnavailable } from '../ports/engine.js';
import { checkModels } from './model.js';
import { temporalServerOf } from './parts.js';

/** What the doctor asks of parts that only the entry points know: workers, and the models behind the specs. */
export function doctorChecks(context: CliContext): readonly DoctorCheck[] {
  return [
    {
      name: 'workers',
      run: async () => {
        const server = temporalServerOf(context.config());
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
        const findings = await checkModels(context.config(), catalogue.list());
        const error = findings.find(({ severity }) => severity === 'error');
        if (error !== undefined) throw new EngineUnavailable(error.message);
        return findings.map(({ message }) => message).join(' ') || 'they do what the specs ask';
      },
    },
  ];
}
