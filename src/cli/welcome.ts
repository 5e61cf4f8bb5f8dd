import type { Config } from '../platform/config.ts'
import { placeOf } from '../platform/db/open.ts'

/** Returns what a start prints when the server can be used: at the end its address and, while there is none, the owner's link. */
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
    /** Where the owner reads kept mail. */
    mailPage: string
  },
): string {
  const address = leadsTo(config.origin, listening) ? config.origin : `${config.origin} (listening on ${listening})`
  const facts = [
    ['Data', describeData(config)],
    ...(part === 'worker' || config.smtp
      ? []
      : [['Mail', `only stored, no mail server is configured: bin/linnet mail list, or ${mailPage}`]]),
    part === 'worker'
      ? ['Health', `${listening}/health and ${listening}/metrics, from this machine only`]
      : ['Address', address],
  ]
  return [
    `\nLinnet ${config.version}${part === null ? '' : ` (${part})`} is ready after ${seconds.toFixed(1)} s. Ctrl-C stops it.`,
    '',
    ...facts.map(([name = '', text]) => `  ${name.padEnd(8)} ${text}`),
    ...(ownerLink === null
      ? []
      : ['', '  This server has no owner yet. This link works once and creates the owner account:', `  ${ownerLink}`]),
    '',
  ].join('\n')
}

function describeData({ dataDir, databaseUrl }: Config): string {
  if (databaseUrl === null) return dataDir
  return `${dataDir}, database at ${placeOf({ connectionString: databaseUrl })}`
}

/** Whether an address is the socket itself, and not one that a proxy has to answer. */
function leadsTo(origin: string, listening: string): boolean {
  const [address, socket] = [new URL(origin), new URL(listening)]
  const names = address.hostname === 'localhost' ? ['localhost', '127.0.0.1', '[::1]'] : [address.hostname]
  return address.protocol === socket.protocol && address.port === socket.port && names.includes(socket.hostname)
}
