import type { Config } from '../../platform/config/config.ts'
import { describeConnection } from '../../platform/db/open-database.ts'

/** Returns the text that a server prints when it is ready, with its address and the link that creates the owner. */
export function describeStart(
  config: Config,
  {
    role,
    seconds,
    listenAddress,
    ownerLink,
    mailPage,
  }: {
    /** Null: all roles. */
    role: string | null
    /** Since the start of the process. */
    seconds: number
    /** URL of the listening socket. */
    listenAddress: string
    /** The link that creates the owner account; null if there is one. */
    ownerLink: string | null
    /** URL of the page with stored mails. */
    mailPage: string
  },
): string {
  const address = isServedAt(config.origin, listenAddress)
    ? config.origin
    : `${config.origin} (listening on ${listenAddress})`
  const facts = [
    ['Data', describeData(config)],
    ...(role === 'worker' || config.smtp
      ? []
      : [['Mail', `only stored, no mail server is configured: bin/linnet mail list, or ${mailPage}`]]),
    role === 'worker'
      ? ['Health', `${listenAddress}/health and ${listenAddress}/metrics, from this machine only`]
      : ['Address', address],
  ]
  return [
    `\nLinnet ${config.version}${role === null ? '' : ` (${role})`} is ready after ${seconds.toFixed(1)} s. Ctrl-C stops it.`,
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
  return `${dataDir}, database at ${describeConnection({ connectionString: databaseUrl })}`
}

/** Returns whether a URL leads directly to the listening socket, without a proxy. */
function isServedAt(origin: string, listening: string): boolean {
  const [address, socket] = [new URL(origin), new URL(listening)]
  const names = address.hostname === 'localhost' ? ['localhost', '127.0.0.1', '[::1]'] : [address.hostname]
  return address.protocol === socket.protocol && address.port === socket.port && names.includes(socket.hostname)
}
