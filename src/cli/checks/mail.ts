import type { Config } from '../../platform/config.ts'
import { createSmtp } from '../../platform/smtp.ts'
import { care, fine, reasonOf, trouble } from './finding.ts'
import type { Finding } from './finding.ts'

/** Whether letters can leave. */
export async function checkMail({ smtp: settings, mailFrom, webDomain }: Config): Promise<Finding[]> {
  if (settings === null)
    return [care('no mail server is set: letters are kept', 'bin/linnet mail shows them; SMTP_SERVER sets one')]
  const place = `${settings.host}:${settings.port}`
  const smtp = createSmtp(settings, { from: mailFrom, domain: webDomain })
  try {
    await smtp.check()
    return [fine(`the mail server ${place} takes letters from ${mailFrom}`)]
  } catch (err) {
    return [trouble(`the mail server ${place} can't be used: ${reasonOf(err)}`, 'see the SMTP_… settings')]
  } finally {
    smtp.close()
  }
}
