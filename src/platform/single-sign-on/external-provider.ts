import type { MappedRoles } from './role-map.ts'

/** The providers whose log-in is a page of theirs, by the names in Mastodon's paths and log-in records. */
export type RedirectProviderName = 'openid_connect' | 'saml' | 'cas'

/** What a provider states about the user, after the protocol's proofs have been verified. */
export interface ExternalIdentity {
  /** Identifies the user at the provider. Never reassigned to another user. */
  readonly uid: string
  /** What the username of a new account is derived from. */
  readonly nickname: string
  readonly displayName: string
  readonly email: string | null
  /** Whether the provider has verified that the address belongs to the user. */
  readonly emailVerified: boolean
  /** The address of a picture of the user (http or https); null: none. */
  readonly pictureUrl: string | null
  /** The roles for the user's groups; null: the administrator maps no groups. */
  readonly roles: MappedRoles | null
}

/** A log-in that has begun at a provider. */
interface StartedLogin {
  /** The page of the provider. */
  readonly redirectTo: string
  /** Secrets of the protocol, which `finish` needs and the browser never receives. */
  readonly secrets: Readonly<Record<string, string>>
}

/** A provider of external log-ins to which the browser is redirected. One file for each protocol implements it. */
export interface ExternalProvider {
  readonly name: RedirectProviderName
  /** The name on buttons. */
  readonly displayName: string
  /** The origins to which a form that starts the log-in leads, for the content security policy. */
  listOrigins(): Promise<readonly string[]>
  /**
   * Begins a log-in. `state`: returns with the browser and identifies the log-in.
   * @throws ExternalLoginError
   */
  start(input: { state: string }): Promise<StartedLogin>
  /**
   * Verifies the provider's response. `parameters`: of the callback. Does not check that the browser is the one that
   * began the log-in: the caller does.
   * @throws ExternalLoginError
   */
  finish(input: {
    parameters: Readonly<Record<string, string>>
    state: string
    secrets: Readonly<Record<string, string>>
  }): Promise<FinishedLogin>
  /** Returns the page of the provider that ends its session; null if it has none. */
  findSignOutUrl(): Promise<string | null>
}

interface FinishedLogin {
  readonly identity: ExternalIdentity
  /** The id of a message that must not be accepted again until it expires; null: the protocol itself prevents that. */
  readonly assertion: { readonly id: string; readonly expiresAt: Date } | null
}

/**
 * A log-in at a provider failed. `refused`: the response is invalid, or the provider refused · `unreachable`: the
 * provider did not respond.
 */
export class ExternalLoginError extends Error {
  readonly kind: 'refused' | 'unreachable'

  constructor(kind: 'refused' | 'unreachable', message: string, options: { cause?: unknown } = {}) {
    super(message, options)
    this.name = 'ExternalLoginError'
    this.kind = kind
  }
}

const MAX_UID_CHARACTERS = 500
const MAX_NAME_CHARACTERS = 300
const MAX_URL_CHARACTERS = 2_048

/**
 * Creates an identity from texts of a provider.
 * @throws ExternalLoginError if the uid is missing or cannot be stored
 */
export function createIdentity({
  uid,
  nickname,
  displayName,
  email,
  emailVerified,
  pictureUrl = null,
  roles,
}: {
  uid: string | null
  nickname?: string | null
  displayName: string | null
  email: string | null
  emailVerified: boolean
  pictureUrl?: string | null
  roles: MappedRoles | null
}): ExternalIdentity {
  if (uid === null || uid === '') throw new ExternalLoginError('refused', 'the provider sent no identifier of the user')
  if (uid.length > MAX_UID_CHARACTERS || /\p{Cc}/u.test(uid) || !uid.isWellFormed()) {
    throw new ExternalLoginError('refused', 'the identifier of the user is too long or has control characters')
  }
  const address = email?.trim() || null
  return {
    uid,
    nickname: nickname || uid,
    displayName: (displayName ?? '').toWellFormed().trim().slice(0, MAX_NAME_CHARACTERS),
    email: address,
    emailVerified: address !== null && emailVerified,
    pictureUrl: pictureUrl !== null && isWebAddress(pictureUrl) ? pictureUrl : null,
    roles,
  }
}

function isWebAddress(url: string): boolean {
  return url.length <= MAX_URL_CHARACTERS && /^https?:$/.test(URL.parse(url)?.protocol ?? '')
}
