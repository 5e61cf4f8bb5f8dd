import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

interface Credential {
  id: string
  rpId: string
  userHandle: string
  privateKey: KeyObject
  signCount: number
}

/** The options of a page (WebAuthn: PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON). */
export interface PasskeyPageOptions {
  challenge: string
  rp?: { id: string; name: string }
  rpId?: string
  user?: { id: string; name: string }
  excludeCredentials?: { id: string }[]
  allowCredentials?: { id: string }[]
  userVerification?: string
}

/** What differs from the response of an honest browser. */
interface Deviations {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  userVerified?: boolean
  userHandle?: string | null
  signCount?: number
}

const [USER_PRESENT, USER_VERIFIED, ATTESTED] = [1, 4, 64]

/** An authenticator with a browser: answers the options of a page with the JSON that the script of the page submits. */
export class SoftwareAuthenticator {
  readonly credentials: Credential[] = []
  readonly #origin: string

  constructor({ origin = 'https://linnet.test' }: { origin?: string } = {}) {
    this.#origin = origin
  }

  /** Creates a passkey. */
  create(options: PasskeyPageOptions, deviations: Deviations = {}): string {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y } = publicKey.export({ format: 'jwk' })
    const id = randomBytes(32)
    const rpId = options.rp!.id
    this.credentials.push({ id: text(id), rpId, userHandle: options.user!.id, privateKey, signCount: 0 })
    const key = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x!)],
        [-3, bytes(y!)],
      ]),
    )
    const head = Buffer.alloc(18)
    head.writeUInt16BE(id.length, 16)
    const data = Buffer.concat([authenticatorData(rpId, ATTESTED, deviations, 0), head, id, key])
    const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
      ['fmt', 'none'],
      ['attStmt', new Map<string, string>()],
      ['authData', new Uint8Array(data)],
    ])
    return credentialJson(text(id), {
      clientDataJSON: this.#clientData('webauthn.create', options, deviations),
      attestationObject: text(isoCBOR.encode(attestation)),
      transports: ['internal', 'from another planet'],
    })
  }

  /** Answers a challenge with the newest passkey. */
  get(options: PasskeyPageOptions, deviations: Deviations = {}): string {
    const credential = this.credentials.at(-1)!
    credential.signCount = deviations.signCount ?? credential.signCount + 1
    const data = authenticatorData(credential.rpId, 0, deviations, credential.signCount)
    const clientData = this.#clientData('webauthn.get', options, deviations)
    const signed = Buffer.concat([data, createHash('sha256').update(bytes(clientData)).digest()])
    const { userHandle = credential.userHandle } = deviations
    return credentialJson(credential.id, {
      clientDataJSON: clientData,
      authenticatorData: text(data),
      signature: text(sign('sha256', signed, credential.privateKey)),
      ...(userHandle !== null && { userHandle }),
    })
  }

  #clientData(type: string, options: PasskeyPageOptions, deviations: Deviations): string {
    const { challenge } = options
    const origin = this.#origin
    const data = { type, challenge, origin, ...deviations }
    return text(Buffer.from(JSON.stringify(data)))
  }
}

/** Returns the options of the passkey form of a page with this action. */
export function passkeyOptionsOf({ html }: { html: string }, action: string): PasskeyPageOptions {
  const form = html
    .split('<form ')
    .find((part) => part.startsWith(`method="post" action="${action}"`) && part.includes('data-passkey='))
  const json = /data-passkey="([^"]*)"/.exec(form ?? '')?.[1]
  if (json === undefined) throw new Error(`The page has no passkey form for ${action}`)
  return JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PasskeyPageOptions
}

function authenticatorData(rpId: string, flags: number, deviations: Deviations, signCount: number): Buffer {
  const { userVerified = true } = deviations
  const tail = Buffer.alloc(5)
  tail.writeUInt8(USER_PRESENT | (userVerified ? USER_VERIFIED : 0) | flags, 0)
  tail.writeUInt32BE(signCount, 1)
  return Buffer.concat([
    createHash('sha256')
      .update(deviations.rpId ?? rpId)
      .digest(),
    tail,
  ])
}

function credentialJson(id: string, response: object): string {
  return JSON.stringify({ id, rawId: id, type: 'public-key', clientExtensionResults: {}, response })
}

const text = (data: Uint8Array): string => Buffer.from(data).toString('base64url')
const bytes = (encoded: string): Uint8Array => new Uint8Array(Buffer.from(encoded, 'base64url'))
