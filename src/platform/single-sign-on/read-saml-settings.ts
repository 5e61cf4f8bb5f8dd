import { createPrivateKey, X509Certificate } from 'node:crypto'
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { readCallbackUrl, readProviderSettings, refuseSettings, requireText, requireUrl } from './provider-settings.ts'
import type { ProviderConfig } from './provider-settings.ts'

export interface SamlConfig extends ProviderConfig {
  /** The address to which the provider posts its response. */
  readonly acsUrl: string
  /** The entity id of this server, which responses must name as their audience. */
  readonly issuer: string
  readonly ssoTargetUrl: string
  /** The provider's certificates (PEM), of which any may sign: several while the provider replaces its key. */
  readonly idpCerts: readonly string[]
  readonly nameIdFormat: string | null
  /** Signs requests and decrypts assertions (PEM); null: neither. */
  readonly privateKey: string | null
  readonly cert: string | null
  readonly clockDriftSeconds: number
  readonly wantsEncryption: boolean
  /** The attribute that identifies the user; null: the NameID. */
  readonly uidAttribute: string | null
  readonly attributes: {
    readonly email: readonly string[]
    readonly fullName: readonly string[]
    readonly firstName: readonly string[]
    readonly lastName: readonly string[]
    /** Whether the address is verified. */
    readonly verified: string | null
    /** An address that is verified. */
    readonly verifiedEmail: string | null
  }
}

/** Reads the settings of SAML; null if it is not enabled. */
export function readSamlSettings(reader: EnvironmentReader, { origin }: { origin: string }): SamlConfig | null {
  if (!reader.flag('SAML_ENABLED')) return null
  const by = 'SAML_ENABLED'
  const needsCertificate = 'is not supported: set SAML_IDP_CERT to the certificate of the provider'
  refuseSettings(reader, {
    SAML_IDP_CERT_FINGERPRINT: needsCertificate,
    SAML_IDP_CERT_FINGERPRINT_VALIDATOR: needsCertificate,
    SAML_IDP_SSO_TARGET_PARAMS: 'is not supported: add the parameters to SAML_IDP_SSO_TARGET_URL',
  })
  // Assertions are always signed.
  if (reader.flag('SAML_SECURITY_WANT_ASSERTION_SIGNED') === false) {
    reader.reportProblem('SAML_SECURITY_WANT_ASSERTION_SIGNED', 'cannot be false: unsigned assertions prove nothing')
  }
  const privateKey = readPrivateKey(reader)
  const wantsEncryption = reader.flag('SAML_SECURITY_WANT_ASSERTION_ENCRYPTED') ?? false
  if (wantsEncryption && reader.text('SAML_PRIVATE_KEY') === null) {
    reader.reportProblem('SAML_SECURITY_WANT_ASSERTION_ENCRYPTED', 'is true without SAML_PRIVATE_KEY')
  }
  const attribute = (name: string, defaults: readonly string[]): readonly string[] => {
    const value = reader.text(`SAML_ATTRIBUTES_STATEMENTS_${name}`)
    return value === null ? defaults : [value]
  }
  return {
    ...readProviderSettings(reader, { prefix: 'SAML', name: 'SAML' }),
    acsUrl: readCallbackUrl(reader, { name: 'SAML_ACS_URL', origin, provider: 'saml' }),
    issuer: requireText(reader, { name: 'SAML_ISSUER', by }),
    ssoTargetUrl: requireUrl(reader, { name: 'SAML_IDP_SSO_TARGET_URL', by }),
    idpCerts: splitCertificates(requireText(reader, { name: 'SAML_IDP_CERT', by })).flatMap(
      (value) => readCertificate(reader, 'SAML_IDP_CERT', value) ?? [],
    ),
    nameIdFormat: reader.text('SAML_NAME_IDENTIFIER_FORMAT'),
    privateKey,
    cert: readCertificate(reader, 'SAML_CERT', reader.text('SAML_CERT')),
    clockDriftSeconds: reader.integer('SAML_ALLOWED_CLOCK_DRIFT', 5, 0, 600),
    wantsEncryption,
    uidAttribute: reader.text('SAML_UID_ATTRIBUTE'),
    attributes: {
      email: attribute('EMAIL', ['email', 'mail']),
      fullName: attribute('FULL_NAME', ['full_name', 'name']),
      firstName: attribute('FIRST_NAME', ['first_name', 'firstname', 'firstName']),
      lastName: attribute('LAST_NAME', ['last_name', 'lastname', 'lastName']),
      verified: reader.text('SAML_ATTRIBUTES_STATEMENTS_VERIFIED'),
      verifiedEmail: reader.text('SAML_ATTRIBUTES_STATEMENTS_VERIFIED_EMAIL'),
    },
  }
}

function splitCertificates(value: string): string[] {
  return value.split(/(?<=-----END CERTIFICATE-----)/).filter((part) => part.replaceAll(/\s|\\n/g, '') !== '')
}

/** Returns a certificate as PEM. Environments often contain it in one line, with `\n` in it or without a header. */
function readCertificate(reader: EnvironmentReader, name: string, value: string | null): string | null {
  if (!value) return null
  const base64 = value.replaceAll(String.raw`\n`, '\n').replaceAll(/-----[^-]+-----|\s/g, '')
  const pem = `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{1,64}/g, '$&\n')}-----END CERTIFICATE-----\n`
  try {
    return new X509Certificate(pem).toString()
  } catch {
    reader.reportProblem(name, 'must be a certificate (PEM)')
    return null
  }
}

function readPrivateKey(reader: EnvironmentReader): string | null {
  const value = reader.text('SAML_PRIVATE_KEY')
  if (value === null) return null
  try {
    const key = createPrivateKey(value.replaceAll(String.raw`\n`, '\n'))
    return key.export({ type: 'pkcs8', format: 'pem' })
  } catch {
    // Without the value, which is secret.
    reader.reportProblem('SAML_PRIVATE_KEY', 'must be a private key without a passphrase (PEM)')
    return null
  }
}
