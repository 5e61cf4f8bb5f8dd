import type { Config } from '../../platform/config.ts'
import { createSmtp } from '../../platform/smtp.ts'
import { care, fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

/** Whether letters can leave. */
export async function checkMail({ smtp: settings, mailFrom, webDomain }: Config): Promise<Finding[]> {
  if (settings === null)
    return [care('no mail server is configured: mails are only stored', 'bin/linnet mail shows them; set SMTP_SERVER')]
  const place = `${settings.host}:${settings.port}`
  const smtp = createSmtp(settings, { from: mailFrom, domain: webDomain })
  try {
    await smtp.check()
    return [fine(`the mail server ${place} accepts mails from ${mailFrom}`)]
  } catch (err) {
    return [trouble(`the mail server ${place} is not usable: ${reasonOf(err)}`, 'check the SMTP_… settings')]
  } finally {
    smtp.close()
  }
}
