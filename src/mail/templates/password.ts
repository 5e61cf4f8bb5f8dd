import { layOut } from './layout.ts'

type LaidOut = ReturnType<typeof layOut>

/** Leads somebody who has forgotten their password to a new one. */
export function passwordForgottenLetter(input: {
  site: string
  username: string
  url: string
  hours: number
}): LaidOut {
  const { site, username, url, hours } = input
  return layOut({
    subject: `A new password for ${site}`,
    site,
    title: 'Choose a new password',
    paragraphs: [`Somebody, hopefully you, asked for a new password for your account @${username} on ${site}.`],
    action: { text: 'Choose a new password', url },
    note: `The link works once and for ${hours} hours. If this was not you, ignore this letter: your password stays as it is.`,
  })
}

/** Tells somebody that their password was changed. `url`: where they get back in if it was not them. */
export function passwordChangedLetter(input: { site: string; username: string; url: string }): LaidOut {
  const { site, username, url } = input
  return layOut({
    subject: `Your password for ${site} was changed`,
    site,
    title: 'Your password was changed',
    paragraphs: [
      `The password of your account @${username} on ${site} is another one now. Every app and every other browser was signed out.`,
      'If this was you, there is nothing to do.',
    ],
    action: { text: 'This was not me', url },
    note: 'If it was not you, choose a new password by the link above, and look whether anybody else can read your mail.',
  })
}

/** Tells somebody at their present address that another one is to take its place. */
export function emailChangeLetter(input: {
  site: string
  username: string
  newEmail: string
  url: string
  days: number
}): LaidOut {
  const { site, username, newEmail, url, days } = input
  return layOut({
    subject: `Your address for ${site} is about to change`,
    site,
    title: 'Another address for your account',
    paragraphs: [
      `Your account @${username} on ${site} is to use another address, as soon as that one is confirmed within ${days} days:`,
    ],
    quote: newEmail,
    action: { text: 'Account settings', url },
    note: 'If this was not you, somebody knows your password: change it at once in the account settings.',
  })
}

/** Informs the owner of an account, at their former address, that another one has replaced it. `url`: of the server's page about itself. */
export function emailChangedMail(input: { site: string; username: string; newEmail: string; url: string }): LaidOut {
  const { site, username, newEmail, url } = input
  return layOut({
    subject: `Your e-mail address for ${site} was changed`,
    site,
    title: 'E-mail address changed',
    paragraphs: [`The e-mail address of your account @${username} on ${site} was changed to:`],
    quote: newEmail,
    action: { text: 'Contact the administrators', url },
    note: 'If you changed it yourself, there is nothing to do. If not, someone else probably has access to your account: contact the administrators at once, because this address no longer receives the mails of the account.',
  })
}
