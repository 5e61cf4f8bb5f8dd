import type { CacheProvider, Profile, SAML } from '@node-saml/node-saml'
import { createIdentity, ExternalLoginError } from './external-provider.ts'
import type { ExternalIdentity, ExternalProvider } from './external-provider.ts'
import type { SamlConfig } from './read-saml-settings.ts'
import { mapRoles } from './role-map.ts'

/** An assertion that was issued longer ago is refused, so its id must be stored for no longer. */
const MAX_ASSERTION_AGE_MS = 3_600_000

/** A SAML provider, which also describes this server to the administrator of the identity provider. */
export interface SamlProvider extends ExternalProvider {
  /** Returns the metadata document of this server (SAML 2.0 Metadata). */
  createMetadata(): Promise<string>
}

/**
 * SAML 2.0 with the Web Browser SSO profile: requests by redirect, responses by POST. `@node-saml/node-saml` verifies the
 * signature of the one assertion and reads only what is signed, its times, its audience, and that it answers the request
 * of this log-in.
 */
export function createSaml(config: SamlConfig): SamlProvider {
  async function createClient(
    cacheProvider: CacheProvider,
    { privateKey }: Pick<SamlConfig, 'privateKey'> = config,
  ): Promise<SAML> {
    const { SAML, ValidateInResponseTo } = await import('@node-saml/node-saml')
    return new SAML({
      callbackUrl: config.acsUrl,
      issuer: config.issuer,
      audience: config.issuer,
      entryPoint: config.ssoTargetUrl,
      idpCert: [...config.idpCerts],
      identifierFormat: config.nameIdFormat,
      disableRequestedAuthnContext: true,
      wantAssertionsSigned: true,
      // The assertion is signed; many providers do not sign the message around it.
      wantAuthnResponseSigned: false,
      acceptedClockSkewMs: config.clockDriftSeconds * 1000,
      maxAssertionAgeMs: MAX_ASSERTION_AGE_MS,
      validateInResponseTo: ValidateInResponseTo.always,
      cacheProvider,
      signatureAlgorithm: 'sha256',
      digestAlgorithm: 'sha256',
      ...(privateKey !== null && { privateKey, decryptionPvk: privateKey }),
      ...(privateKey !== null && config.cert !== null && { publicCert: config.cert }),
    })
  }

  return {
    name: 'saml',
    displayName: config.displayName,
    async listOrigins() {
      return [new URL(config.ssoTargetUrl).origin]
    },

    async start({ state }) {
      const request = new RequestIds(null)
      const client = await createClient(request)
      const redirectTo = await client.getAuthorizeUrlAsync(state, undefined, {})
      return { redirectTo, secrets: { requestId: request.id ?? '' } }
    },

    async finish({ parameters, secrets }) {
      const response = parameters['SAMLResponse'] ?? ''
      const xml = Buffer.from(response, 'base64').toString()
      // Entities can change what a signature covers, and expand without end. No provider sends a DTD.
      if (/<!(?:DOCTYPE|ENTITY)/i.test(xml)) throw new ExternalLoginError('refused', 'the response has a DTD')
      if (config.wantsEncryption && /<(?:[\w.-]+:)?Assertion[\s>/]/.test(xml)) {
        throw new ExternalLoginError('refused', 'the assertion is not encrypted')
      }
      const client = await createClient(new RequestIds(secrets['requestId'] ?? null))
      const { profile } = await client.validatePostResponseAsync({ SAMLResponse: response }).catch((err: unknown) => {
        throw new ExternalLoginError('refused', err instanceof Error ? err.message : 'unknown error')
      })
      if (!profile) throw new ExternalLoginError('refused', 'the response has no assertion')
      const { Assertion: assertion } = (profile.getAssertion?.() ?? {}) as { Assertion?: Assertion }
      const id = assertion?.$?.ID
      if (typeof id !== 'string') throw new ExternalLoginError('refused', 'the assertion has no id')
      const requestId = secrets['requestId'] ?? ''
      if (
        !isConfirmed(assertion!, { requestId, recipient: config.acsUrl, clockDriftSeconds: config.clockDriftSeconds })
      ) {
        throw new ExternalLoginError('refused', 'the assertion does not state that it answers this request')
      }
      const expiresAt = new Date(Date.now() + MAX_ASSERTION_AGE_MS + config.clockDriftSeconds * 2_000)
      return { identity: identityOf(profile, config), assertion: { id, expiresAt } }
    },

    async findSignOutUrl() {
      return null
    },

    async createMetadata() {
      // Without a certificate, there is no public key to publish.
      const privateKey = config.cert === null ? null : config.privateKey
      const client = await createClient(new RequestIds(null), { privateKey })
      return client.generateServiceProviderMetadata(config.cert, config.cert)
    },
  }
}

/** Holds the id of the one request that a log-in sent: a response must answer it. */
class RequestIds implements CacheProvider {
  id: string | null

  constructor(id: string | null) {
    this.id = id
  }

  async saveAsync(id: string, value: string) {
    this.id = id
    return { value, createdAt: Date.now() }
  }

  async getAsync(id: string) {
    return this.id !== null && id === this.id ? new Date().toISOString() : null
  }

  async removeAsync(id: string | null) {
    return id
  }
}

/** The signed part of a response, as the library parses it. */
interface Assertion {
  $?: { ID?: unknown }
  Subject?: {
    SubjectConfirmation?: {
      $?: { Method?: unknown }
      SubjectConfirmationData?: { $?: { InResponseTo?: unknown; Recipient?: unknown; NotOnOrAfter?: unknown } }[]
    }[]
  }[]
}

const BEARER = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'

/**
 * Returns whether an assertion itself names the request, this server and an end of its validity (SAML Profiles
 * §4.1.4.2). The library only compares what the assertion has, and reads the rest from the message around it, which
 * nobody has signed: an assertion that was issued without a request could be put into a forged message.
 */
function isConfirmed(
  { Subject: subjects = [] }: Assertion,
  { requestId, recipient, clockDriftSeconds }: { requestId: string; recipient: string; clockDriftSeconds: number },
): boolean {
  const confirmations = subjects[0]?.SubjectConfirmation ?? []
  return confirmations.some(({ $: confirmation, SubjectConfirmationData: [data] = [] }) => {
    const { InResponseTo: request, Recipient: addressee, NotOnOrAfter: end } = data?.$ ?? {}
    const isTimely = typeof end === 'string' && Date.parse(end) + clockDriftSeconds * 1000 > Date.now()
    return confirmation?.Method === BEARER && request === requestId && addressee === recipient && isTimely
  })
}

function identityOf(
  profile: Profile,
  { uidAttribute, attributes, assumesVerifiedEmail, roleMap }: SamlConfig,
): ExternalIdentity {
  const sent = (profile['attributes'] ?? {}) as Record<string, unknown>
  const find = (names: readonly (string | null)[]): string | null =>
    names.map((name) => (name === null ? null : textOf(sent[name]))).find((text) => text !== null) ?? null
  const verifiedEmail = find([attributes.verifiedEmail])
  const isVerified = ['true', '1'].includes(find([attributes.verified])?.toLowerCase() ?? '')
  const names = [find(attributes.firstName), find(attributes.lastName)].filter((name) => name !== null)
  return createIdentity({
    uid: uidAttribute === null ? textOf(profile.nameID) : find([uidAttribute]),
    displayName: find(attributes.fullName) ?? names.join(' '),
    email: verifiedEmail ?? find(attributes.email),
    emailVerified: assumesVerifiedEmail || verifiedEmail !== null || isVerified,
    roles: mapRoles(roleMap, (source) => sent[source]),
  })
}

/** Returns the first value of an attribute as text, or null. */
function textOf(value: unknown): string | null {
  const first: unknown = Array.isArray(value) ? value[0] : value
  return typeof first === 'string' && first !== '' ? first : null
}
