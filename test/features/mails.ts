import type { TestServer } from '../servers/test-server.ts'

/** Returns the newest mail to an address, with the path of its confirmation link; null if there is no mail. */
export async function findMailTo(
  testServer: TestServer,
  email: string,
): Promise<{ subject: string; text: string; link: string | null } | null> {
  await testServer.waitForJobs()
  const mail = await testServer.ctx.db
    .selectFrom('mails')
    .select(['subject', 'text'])
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!mail) return null
  const url = /https:\/\/linnet\.test(\/auth\/confirmation\?\S+)/.exec(mail.text)
  return { ...mail, link: url?.[1] ?? null }
}
