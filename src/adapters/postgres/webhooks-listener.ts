import pg from 'pg';

const channel = 'endstop_webhooks';
const reconnectMs = 2_000;

/**
 * Holds one connection of its own and calls back for every notification that deliveries were added, and for every
 * connection that was made, since something may have been added before. Without a database it tries every 2 s.
 */
export function listenForDeliveries(databaseUrl: string, onDue: () => void): { close(): Promise<void> } {
  let closed = false;
  let client: pg.Client | null = null;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const opened = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'endstop webhooks',
      keepAlive: true,
      connectionTimeoutMillis: reconnectMs,
    });
    client = opened;
    let lost = false;
    const lose = () => {
      if (lost) return;
      lost = true;
      opened.end().catch(() => undefined);
      if (!closed) retry = setTimeout(connect, reconnectMs);
    };
    opened.on('error', lose).on('end', lose).on('notification', onDue);
    try {
      await opened.connect();
      await opened.query(`listen ${channel}`);
      onDue();
    } catch {
      lose();
    }
  };

  const connected = connect();
  return {
    close: async () => {
      closed = true;
      clearTimeout(retry);
      await connected;
      await client?.end().catch(() => undefined);
    },
  };
}
