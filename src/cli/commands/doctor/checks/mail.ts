import type { Config } from '../../../../platform/config/config.ts'
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
    return [problem(`the mail server ${server} is not usable: ${errorMessageOf(err)}`, 'check the SMTP_… settings')]
  } finally {
    smtp.close()
  }
}
