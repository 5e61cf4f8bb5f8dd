import { BadRequest, Unauthorized } from '../lib/errors.ts'
import { coversScope } from '../lib/scopes.ts'

/** The streams that one can listen to, by their names on a socket. */
const CHANNELS = [
  'user',
  'user:notification',
  'direct',
  'public',
  'public:media',
  'public:local',
  'public:local:media',
  'public:remote',
  'public:remote:media',
] as const
export type Channel = (typeof CHANNELS)[number]

export const PUBLIC_CHANNELS = CHANNELS.filter((name) => name.startsWith('public'))

/** The channel of a name. @throws BadRequest */
export function findChannel(name: unknown): Channel {
  const channel = CHANNELS.find((known) => known === name)
  if (!channel) throw new BadRequest('Unknown stream type')
  return channel
}

/** @throws Unauthorized when these scopes do not open the channel */
export function checkScope({ channel, scopes }: { channel: Channel; scopes: readonly string[] }): void {
  const needed = channel === 'user:notification' ? 'read:notifications' : 'read:statuses'
  if (!coversScope(scopes, needed)) throw new Unauthorized('Access token does not have the required scopes')
}

/** The public channels that carry a status. */
export function channelsOf({ local, hasMedia }: { local: boolean; hasMedia: boolean }): Channel[] {
  const names: Channel[] = ['public', local ? 'public:local' : 'public:remote']
  return hasMedia ? names.flatMap((name) => [name, `${name}:media` as Channel]) : names
}
