import { readFileSync } from 'node:fs'
import type { EnvironmentReader } from '../config/environment-reader.ts'
import { readCallbackUrl, readProviderSettings, readUrl, refuseSettings } from './provider-settings.ts'
import type { ProviderConfig } from './provider-settings.ts'

export interface CasConfig extends ProviderConfig {
  readonly loginUrl: string
  readonly validateUrl: string
  readonly callbackUrl: string
  /** Certificates (PEM) that are trusted in addition to Node's. */
  readonly extraCa: string | null
  /** The attribute that identifies the user, or `user`. */
  readonly uidField: string
  readonly nameKey: string
  readonly emailKey: string
  readonly firstNameKey: string
  readonly lastNameKey: string
  readonly imageKey: string
}

/** Reads the settings of CAS; null if it is not enabled. */
export function readCasSettings(reader: EnvironmentReader, { origin }: { origin: string }): CasConfig | null {
  if (!reader.flag('CAS_ENABLED')) return null
  if (reader.flag('CAS_DISABLE_SSL_VERIFICATION')) {
    refuseSettings(reader, { CAS_DISABLE_SSL_VERIFICATION: 'is not supported: set CAS_CA_PATH to the certificate' })
  }
  const base = readBase(reader)
  const endpoint = (name: string, path: string): string => {
    const value = reader.text(name) ?? path
    if (!value.startsWith('/')) return readUrl(reader, name) ?? base
    return base.replace(/\/+$/, '') + value
  }
  const caFile = reader.readableFile('CAS_CA_PATH')
  return {
    ...readProviderSettings(reader, { prefix: 'CAS', name: 'CAS' }),
    loginUrl: endpoint('CAS_LOGIN_URL', '/login'),
    validateUrl: endpoint('CAS_VALIDATE_URL', '/serviceValidate'),
    callbackUrl: readCallbackUrl(reader, { name: 'CAS_CALLBACK_URL', origin, provider: 'cas' }),
    extraCa: caFile && readFileSync(caFile, 'utf8'),
    uidField: reader.text('CAS_UID_FIELD') ?? 'user',
    nameKey: reader.text('CAS_NAME_KEY') ?? 'name',
    emailKey: reader.text('CAS_EMAIL_KEY') ?? 'email',
    firstNameKey: reader.text('CAS_FIRST_NAME_KEY') ?? 'firstname',
    lastNameKey: reader.text('CAS_LAST_NAME_KEY') ?? 'lastname',
    imageKey: reader.text('CAS_IMAGE_KEY') ?? 'image',
  }
}

/** Reads the address of the server: one URL, or its parts. */
function readBase(reader: EnvironmentReader): string {
  const invalid = 'https://invalid.invalid'
  if (reader.text('CAS_URL') !== null) return readUrl(reader, 'CAS_URL') ?? invalid
  const host = reader.text('CAS_HOST')
  if (host === null) {
    reader.reportProblem('CAS_URL', 'or CAS_HOST must be set, because CAS_ENABLED is true')
    return invalid
  }
  const scheme = (reader.flag('CAS_SSL') ?? true) ? 'https' : 'http'
  const port = reader.integer('CAS_PORT', 0, 1, 65_535)
  const url = URL.parse(`${scheme}://${host}${port === 0 ? '' : `:${port}`}`)
  if (url !== null && url.pathname === '/' && url.username === '') return url.origin
  reader.reportProblem('CAS_HOST', `must be a host name, not "${host}"`)
  return invalid
}
