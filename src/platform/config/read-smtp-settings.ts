import type { EnvironmentReader } from './environment-reader.ts'

export interface SmtpConfig {
  host: string
  port: number
  login: string | null
  password: string | null
  /** True: TLS from the start of the connection (SMTPS). */
  tls: boolean
  /** STARTTLS: required, used if the server offers it, or never used. */
  startTls: 'always' | 'auto' | 'never'
}

/** Reads the connection to the SMTP server; null if no server is named. */
export function readSmtpSettings(reader: EnvironmentReader): SmtpConfig | null {
  const host = reader.host('SMTP_SERVER')
  const ssl = reader.flag('SMTP_SSL')
  const tls = reader.flag('SMTP_TLS')
  const smtp = {
    port: reader.integer('SMTP_PORT', ssl || tls ? 465 : 587, 1, 65_535),
    login: reader.text('SMTP_LOGIN'),
    password: reader.text('SMTP_PASSWORD'),
    tls: Boolean(ssl || tls),
    startTls: reader.choice('SMTP_ENABLE_STARTTLS', 'auto', ['always', 'auto', 'never']),
  }
  if (reader.text('SMTP_SERVER') === null) {
    reader.requireSetting('SMTP_SERVER', [
      'SMTP_PORT',
      'SMTP_LOGIN',
      'SMTP_PASSWORD',
      'SMTP_SSL',
      'SMTP_TLS',
      'SMTP_ENABLE_STARTTLS',
    ])
    return null
  }
  if ((smtp.login === null) !== (smtp.password === null)) {
    reader.reportProblem('SMTP_LOGIN and SMTP_PASSWORD', 'must be set together')
  }
  return host === null ? null : { host, ...smtp }
}

/** The address of a mail header. */
export interface MailAddress {
  /** Empty: none. */
  name: string
  address: string
}

/** Reads the sender of mails. */
export function readMailFrom(reader: EnvironmentReader, webDomain: string): MailAddress {
  const address = `notifications@${webDomain.replace(/:\d+$/, '')}`
  return readAddress('SMTP_FROM_ADDRESS', reader.text('SMTP_FROM_ADDRESS'), reader) ?? { name: '', address }
}

/** Reads the address to which answers to mails go; null: the sender. */
export function readMailReplyTo(reader: EnvironmentReader): MailAddress | null {
  return readAddress('SMTP_REPLY_TO', reader.text('SMTP_REPLY_TO'), reader)
}

/** Reads an address, with a name as `Name <address>` or `"Name" <address>` (RFC 5322, section 3.4). */
function readAddress(setting: string, value: string | null, reader: EnvironmentReader): MailAddress | null {
  if (value === null) return null
  const pattern = /^(?:(?<name>[^<>\r\n]*)<(?<named>[^<>\s@]+@[^<>\s@]+)>|(?<plain>[^<>\s@]+@[^<>\s@]+))$/
  const { name = '', named, plain } = pattern.exec(value)?.groups ?? {}
  const address = named ?? plain
  if (address !== undefined) return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
  reader.reportProblem(setting, `must be an e-mail address, not "${value}"`)
  return null
}
