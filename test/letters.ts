import type { World } from './world.ts'

/** The newest letter to an address, with the path of the confirmation link in it; null when there is none. */
export async function letterTo(
  world: World,
  email: string,
): Promise<{ subject: string; text: string; link: string | null } | null> {
  await world.settle()
  const mail = await world.ctx.db
    .selectFrom('mails')
    .select(['subject', 'text'])
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (!mail) return null
  const url = /https:\/\/linnet\.test(\/auth\/confirmation\?\S+)/.exec(mail.text)
  return { ...mail, link: url?.[1] ?? null }
}
