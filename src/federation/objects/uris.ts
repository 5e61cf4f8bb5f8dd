import type { Config } from '../../platform/config.ts'

/** The addresses of what lies here. Everything of a person lies under their own. */
export function actorUri(config: Config, accountId: string): string {
  return `${config.origin}/ap/users/${accountId}`
}

export function followersUri(config: Config, accountId: string): string {
  return `${actorUri(config, accountId)}/followers`
}

/** What somebody put first: statuses, and hashtags are announced with it, too. */
export function featuredUri(config: Config, accountId: string): string {
  return `${actorUri(config, accountId)}/collections/featured`
}

export function sharedInboxUri(config: Config): string {
  return `${config.origin}/inbox`
}

/** The server itself, which signs what nobody in particular asks. */
export function instanceActorUri(config: Config): string {
  return `${config.origin}/actor`
}

/** The id of the key of an actor here. Elsewhere a key's id is read, never derived. */
export function keyIdOf(actor: string): string {
  return `${actor}#main-key`
}
