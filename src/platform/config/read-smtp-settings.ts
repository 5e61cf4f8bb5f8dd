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

/** Reads the sender address of mails. As in Mastodon, `Name <address>` is accepted too; only the address is used. */
export function readMailFrom(reader: EnvironmentReader, webDomain: string): string {
  const value = reader.text('SMTP_FROM_ADDRESS') ?? `notifications@${webDomain.replace(/:\d+$/, '')}`
  const [, named, plain] = /^(?:[^<>\r\n]*<([^<>\s@]+@[^<>\s@]+)>|([^<>\s@]+@[^<>\s@]+))$/.exec(value) ?? []
  const address = named ?? plain
  if (address === undefined) reader.reportProblem('SMTP_FROM_ADDRESS', `must be an e-mail address, not "${value}"`)
  return address ?? value
}
