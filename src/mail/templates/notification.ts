import type { MailKind } from '../../domain/notifications/mails.ts'
import { isolateText } from '../../lib/html.ts'
import { layOut } from './layout.ts'

const TITLES: Record<MailKind, (name: string) => string> = {
  mention: (name) => `${name} mentioned you`,
  quote: (name) => `${name} quoted your post`,
  follow: (name) => `${name} follows you now`,
  follow_request: (name) => `${name} asks to follow you`,
  reblog: (name) => `${name} boosted your post`,
  favourite: (name) => `${name} favourited your post`,
}

const NAMES: Record<MailKind, string> = {
  mention: 'somebody mentions you',
  quote: 'somebody quotes you',
  follow: 'somebody follows you',
  follow_request: 'somebody asks to follow you',
  reblog: 'somebody boosts your posts',
  favourite: 'somebody favourites your posts',
}

/** Tells somebody what happened around them. `words`: of the post that it is about, as plain text. */
export function notificationLetter(input: {
  site: string
  kind: MailKind
  fromName: string
  fromHandle: string
  words: string | null
  url: string
  unsubscribeUrl: string
}): ReturnType<typeof layOut> {
  const { site, kind, fromName, fromHandle, words, url, unsubscribeUrl } = input
  const title = TITLES[kind](isolateText(fromName))
  return layOut({
    subject: TITLES[kind](fromName),
    site,
    title,
    paragraphs: [`It was @${fromHandle}.`],
    quote: words,
    action: { text: `Go to ${site}`, url },
    note: `You get this letter because you want to hear when ${NAMES[kind]}.`,
    stop: { text: 'No such letters any more', url: unsubscribeUrl },
  })
}
