import { isId } from '../../lib/ids.ts'
import type { Config } from '../../platform/config/config.ts'

/** Returns the id of a local actor. The ids of all objects of an account start with it. */
export function actorUri(config: Config, accountId: string): string {
  return `${config.origin}/ap/users/${accountId}`
}

export function followersUri(config: Config, accountId: string): string {
  return `${actorUri(config, accountId)}/followers`
}

/** Returns the id of the list of an account's followers on the server that requests it (FEP-8fcf). */
export function followersSynchronizationUri(config: Config, accountId: string): string {
  return `${actorUri(config, accountId)}/followers_synchronization`
}

/** Returns the id of an account's collection of pinned statuses. Featured hashtags are announced with it, too. */
export function featuredUri(config: Config, accountId: string): string {
  return `${actorUri(config, accountId)}/collections/featured`
}

export function sharedInboxUri(config: Config): string {
  return `${config.origin}/inbox`
}

/** Returns the id of the instance actor, which signs requests that are made on behalf of no account. */
export function instanceActorUri(config: Config): string {
  return `${config.origin}/actor`
}

/** Returns the key of the Follow by which the instance actor subscribes to a relay. */
export const relayFollowKey = (relayId: string): string => `relays/${relayId}`

/** Returns the id of the relay to which the instance actor subscribes by the Follow with this id; null for other ids. */
export function relayOfFollow(config: Config, uri: string): string | null {
  const start = `${instanceActorUri(config)}#follows/relays/`
  return uri.startsWith(start) && isId(uri.slice(start.length)) ? uri.slice(start.length) : null
}

/** Returns the key id of a local actor. Key ids of remote actors are read from their documents, never derived. */
export function keyIdOf(actor: string): string {
  return `${actor}#main-key`
}
