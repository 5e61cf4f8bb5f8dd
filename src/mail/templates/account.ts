import { layOut } from './layout.ts'

type LaidOut = ReturnType<typeof layOut>

/** Asks to confirm an address by its link. `change`: the person has an account already and moves to this address. */
export function confirmationLetter(input: {
  site: string
  username: string
  url: string
  days: number
  change: boolean
  /** false: the staff decides afterwards. */
  approved: boolean
}): LaidOut {
  const { site, username, url, days, change, approved } = input
  const lifetime = change ? `until ${days} days after you asked for the change` : `for ${days} days`
  const then = approved ? 'and it is ready to use' : 'and a moderator will look at your request'
  return layOut({
    subject: `Confirm your e-mail address for ${site}`,
    site,
    title: change ? 'Confirm your new address' : 'One more step',
    paragraphs: [
      change
        ? `You want to use this address for your account @${username} on ${site}.`
        : `You made the account @${username} on ${site}. Confirm that this address is yours, ${then}.`,
    ],
    action: { text: 'Confirm my address', url },
    note: `The link works once and ${lifetime}. If this was not you, ignore this letter: nothing happens without the link.`,
  })
}

/** Tells the staff that somebody waits for approval. */
export function pendingLetter(input: {
  site: string
  username: string
  email: string
  reason: string | null
  url: string
}): LaidOut {
  const { site, username, email, reason, url } = input
  return layOut({
    subject: `@${username} asks to join ${site}`,
    site,
    title: 'Somebody asks to join',
    paragraphs: [
      `@${username} (${email}) has confirmed the address and waits for approval on ${site}.`,
      reason ? 'This is what they wrote:' : 'They did not write why.',
    ],
    quote: reason,
    action: { text: `Go to ${site}`, url },
    note: `You get this letter because you may decide about accounts on ${site}. Whoever runs the server lets them in by: bin/linnet accounts approve ${username}`,
  })
}

/** Tells the owner of an address that somebody tried to use it for another account. */
export function addressTriedLetter(input: { site: string; username: string; url: string }): LaidOut {
  const { site, username, url } = input
  return layOut({
    subject: `Somebody tried to use your address on ${site}`,
    site,
    title: 'You have an account already',
    paragraphs: [
      `Somebody wanted to use this address for an account on ${site}. It belongs to your account @${username}, so nothing was made or changed.`,
      'If this was you, sign in instead.',
    ],
    action: { text: 'Sign in', url },
    note: 'If this was not you, you need not do anything. Whoever it was has not learnt that you have an account.',
  })
}
