import type { Config } from '../platform/config.ts'
import { placeOf } from '../platform/db/open.ts'

/** What a start says when the server can be used. */
export function describeStart(
  config: Config,
  {
    part,
    seconds,
    listening,
    ownerLink,
    mailPage,
  }: {
    /** null: all of it. */
    part: string | null
    /** Since the process began. */
    seconds: number
    /** The address of the socket itself. */
    listening: string
    /** Makes the owner's account, as long as there is none. */
    ownerLink: string | null
    /** Where the owner reads kept letters. */
    mailPage: string
  },
): string {
  const facts =
    part === 'worker'
      ? [['Health', `${listening}/health and ${listening}/metrics, for this machine only`]]
      : [
          [
            'Address',
            leadsTo(config.origin, listening) ? config.origin : `${config.origin} (listening on ${listening})`,
          ],
          ...(config.smtp
            ? []
            : [['Mail', `no mail server is set: letters are kept, and shown by bin/linnet mail or at ${mailPage}`]]),
        ]
  facts.splice(1, 0, ['Data', describeData(config)])
  return [
    `\nLinnet ${config.version}${part === null ? '' : ` (${part})`} is ready after ${seconds.toFixed(1)} s`,
    '',
    ...facts.map(([name = '', text]) => `  ${name.padEnd(8)} ${text}`),
    ...(ownerLink === null
      ? []
      : ['', '  Nobody owns this server yet. This link works once, to create the owner:', `  ${ownerLink}`]),
    '',
    'Ctrl-C stops it.',
  ].join('\n')
}

function describeData({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl === null) return dataDir
  return `${dataDir}, and the database at ${placeOf({ connectionString: databaseUrl })}`
}

/** Whether an address is the socket itself, and not one that a proxy has to answer. */
function leadsTo(origin: string, listening: string): boolean {
  const [address, socket] = [new URL(origin), new URL(listening)]
  const names = address.hostname === 'localhost' ? ['localhost', '127.0.0.1', '[::1]'] : [address.hostname]
  return address.protocol === socket.protocol && address.port === socket.port && names.includes(socket.hostname)
}
