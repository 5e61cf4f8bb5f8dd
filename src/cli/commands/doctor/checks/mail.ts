import type { Config } from '../../../../platform/config/config.ts'
import type { SmtpConfig } from '../../../../platform/config/read-smtp-settings.ts'
import { createSmtp } from '../../../../platform/smtp.ts'
import { warning, ok, errorMessageOf, problem } from './finding.ts'
import type { Finding } from './finding.ts'

/** Checks whether the server can send mails. */
export async function checkMail({
  smtp: settings,
  mailFrom: from,
  mailReplyTo: replyTo,
  webDomain: domain,
  networkConcurrency: maxConcurrent,
}: Config): Promise<Finding[]> {
  if (settings === null)
    return [
      warning('no mail server is configured: mails are only stored', 'bin/linnet mail shows them; set SMTP_SERVER'),
    ]
  const server = `${settings.host}:${settings.port}`
  const smtp = createSmtp(settings, { from, replyTo, domain, maxConcurrent })
  try {
    await smtp.verify()
    return [ok(`the mail server ${server} accepts mails from ${from.address}`)]
  } catch (err) {
    return [problem(`the mail server ${server} is not usable: ${errorMessageOf(err)}`, remedyOf(err, settings))]
  } finally {
    smtp.close()
  }
}

/** The errors of Node for certificates that are not valid, or not for this host (`tls` of its documentation). */
const CERTIFICATE_ERROR = /certificate|altnames/i

function remedyOf(err: unknown, { tls, startTls }: SmtpConfig): string {
  const text = err instanceof Error ? err.message : ''
  if (tls && /wrong version number|packet length too long/.test(text))
    return 'the port has no TLS from the start: remove SMTP_TLS and SMTP_SSL, which are for port 465'
  if (!tls && /Greeting never received/.test(text))
    return 'if the port has TLS from the start, like 465, set SMTP_TLS=true'
  if (CERTIFICATE_ERROR.test(text)) {
    const plain = tls || startTls === 'always' ? '' : '; on the same machine, SMTP_ENABLE_STARTTLS=never needs none'
    return `its certificate must be valid for SMTP_SERVER; NODE_EXTRA_CA_CERTS names a file with another authority${plain}`
  }
  return 'check the SMTP_… settings'
}
