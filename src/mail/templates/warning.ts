import type { WarningAction } from '../../domain/moderation/warn-account.ts'
import { layOut } from './layout.ts'

const TITLES: Record<WarningAction, string> = {
  none: 'A word from the moderators',
  disable: 'Your account is frozen',
  mark_statuses_as_sensitive: 'Some of your posts are marked as sensitive',
  delete_statuses: 'Some of your posts were removed',
  sensitive: 'Your posts are marked as sensitive from now on',
  silence: 'Your account is limited',
  suspend: 'Your account is suspended',
}

const MEANINGS: Record<WarningAction, string> = {
  none: 'Nothing was done about your account.',
  disable: 'You cannot use it any more, but nothing of it was removed.',
  mark_statuses_as_sensitive: 'Whoever sees them is warned first.',
  delete_statuses: 'They are gone for good, here and on the servers that hear of it.',
  sensitive: 'Whoever sees pictures and videos of yours is warned first.',
  silence: 'Only those who follow you already see your posts without looking for them.',
  suspend: 'Nobody sees it any more, and what is in it will be removed.',
}

/** Tells somebody what the staff did about their account or posts. `posts`: how many it is about. */
export function warningLetter(input: {
  site: string
  url: string
  username: string
  action: WarningAction
  text: string
  posts: number
}): ReturnType<typeof layOut> {
  const { site, url, username, action, text, posts } = input
  return layOut({
    subject: `${TITLES[action]} – ${site}`,
    site,
    title: TITLES[action],
    paragraphs: [
      `This is about your account @${username} on ${site}.`,
      MEANINGS[action],
      ...(posts > 0 ? [posts === 1 ? 'It is about one post.' : `It is about ${posts} posts.`] : []),
      ...(text === '' ? [] : ['This is what the moderators wrote:']),
    ],
    quote: text === '' ? null : text,
    action: { text: `Go to ${site}`, url },
    note: 'You get this letter whatever your settings say, since it is about what you may do here.',
  })
}
