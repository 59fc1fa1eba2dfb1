import { connect } from '../adapters/temporal/engine.js';
import { lanesWithoutWorker } from '../adapters/temporal/pollers.js';
import type { DoctorCheck } from '../cli/commands/doctor.js';
import type { CliContext } from '../cli/context.js';
import { EngineUnavailable } from '../ports/engine.js';
import { checkModels } from './model.js';
import { temporalAddressOf } from './parts.js';

/** What the doctor asks of parts that only the entry points know: workers, and the models behind the specs. */
export function doctorChecks(context: CliContext): readonly DoctorCheck[] {
  return [
    {
      name: 'workers',
      run: async () => {
        const { temporal } = context.config();
        const connection = await connect(temporalAddressOf(context.config()));
        try {
          const missing = await lanesWithoutWorker(connection, temporal.namespace);
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
