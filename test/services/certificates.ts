import { generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import type { KeyObject } from 'node:crypto'
import { isIP } from 'node:net'

const DAY_MS = 86_400_000

/** A key and a certificate in PEM, as for `createSecureContext` and `createServer`. */
interface Certificate {
  key: string
  cert: string
}

export interface TestCa {
  /** The certificate that clients must trust (PEM). */
  readonly pem: string
  /** Issues a certificate for these names and IP addresses, valid from yesterday until tomorrow. */
  issue(names: readonly string[], options?: { keyType: 'rsa' }): Certificate
}

/** Creates a certificate authority. */
export function createCa(): TestCa {
  const keys = makeKeys()
  const subject = nameOf(`Test CA ${randomBytes(4).toString('hex')}`)
  const basicConstraints = extension('551d13', sequence(BOOLEAN_TRUE))
  const keyUsage = extension('551d0f', der(0x03, Buffer.of(1, 0b0000_0110)))
  const pem = createCertificate({ subject, publicKey: keys.publicKey, extensions: [basicConstraints, keyUsage] })
  return {
    pem,
    issue(names, options) {
      const { publicKey, privateKey } = options ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : makeKeys()
      const altNames = extension('551d11', sequence(...names.map(altName)))
      return {
        key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
        cert: createCertificate({ subject: nameOf(names[0]!.slice(0, 64)), publicKey, extensions: [altNames] }),
      }
    },
  }

  function createCertificate(content: { subject: Buffer; publicKey: KeyObject; extensions: Buffer[] }): string {
    const body = sequence(
      der(0xa0, der(0x02, Buffer.of(2))),
      der(0x02, Buffer.concat([Buffer.of(1), randomBytes(15)])),
      ECDSA_WITH_SHA256,
      subject,
      sequence(utcTime(Date.now() - DAY_MS), utcTime(Date.now() + DAY_MS)),
      content.subject,
      content.publicKey.export({ type: 'spki', format: 'der' }),
      der(0xa3, sequence(...content.extensions)),
    )
    const signature = der(0x03, Buffer.concat([Buffer.of(0), sign('sha256', body, keys.privateKey)]))
    const text = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64')
    return `-----BEGIN CERTIFICATE-----\n${text.replace(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
  }
}

const makeKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' })

/** Encodes a value in DER (ITU-T X.690): its tag, its length and its bytes. */
function der(tag: number, bytes: Buffer): Buffer {
  const { length } = bytes
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.of(tag, ...size), bytes])
}

const sequence = (...items: Buffer[]): Buffer => der(0x30, Buffer.concat(items))
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'))

const BOOLEAN_TRUE = der(0x01, Buffer.of(0xff))
const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'))
const COMMON_NAME = '550403'

const nameOf = (text: string): Buffer =>
  sequence(der(0x31, sequence(oid(COMMON_NAME), der(0x0c, Buffer.from(text, 'utf8')))))

/** Encodes a critical extension. */
const extension = (id: string, value: Buffer): Buffer => sequence(oid(id), BOOLEAN_TRUE, der(0x04, value))

const utcTime = (time: number): Buffer =>
  der(0x17, Buffer.from(`${new Date(time).toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`, 'ascii'))

function altName(name: string): Buffer {
  if (isIP(name) === 4) return der(0x87, Buffer.from(name.split('.').map(Number)))
  return der(0x82, Buffer.from(name, 'ascii'))
}
