import { html } from '../../lib/html.ts'
import type { SafeHtml } from '../../lib/html.ts'
import { formatsFor } from './layout/formats.ts'
import { englishOAuth } from './text-oauth.ts'
import { englishPublic } from './text-public.ts'
import { englishScopes } from './text-scopes.ts'
import { englishSettings } from './text-settings.ts'

/** Every word that the pages show, in English. Another language is another object of this very type. */
const english = {
  lang: 'en',
  dir: 'ltr' as 'ltr' | 'rtl',

  layout: {
    skip: 'Skip to the content',
    signIn: 'Sign in',
    signUp: 'Create account',
    account: 'Your account',
    runs: (version: string) => `Runs on Linnet ${version}`,
    source: 'Source code',
    about: 'About this server',
  },

  landing: {
    lead: (domain: SafeHtml) =>
      html`${domain} is part of the open social web. With an account here you can follow, and talk with, people on
      Mastodon and on every other server that speaks ActivityPub.`,
    create: 'Create account',
    ask: 'Ask to join',
    askHint: 'A person looks at every request.',
    closed: 'New accounts are closed at the moment.',
    facts: 'About this server',
    people: (count: number) => many(count, 'person', 'people'),
    posts: (count: number) => many(count, 'post', 'posts'),
    active: () => 'active this month',
    runBy: 'Run by',
    trending: 'Trending',
    newest: 'Newest posts',
    empty: 'Nothing has been posted here yet.',
    membersOnly: 'Only people with an account here see the newest posts.',
  },

  post: {
    show: 'Show',
    hide: 'Hide',
    warning: 'Content warning:',
    sensitive: 'Sensitive content',
    reveal: (count: number) => (count === 1 ? 'Show it' : `Show ${many(count, 'item', 'items').join(' ')}`),
    counts: 'Reactions',
    replies: (count: number) => many(count, 'reply', 'replies').join(' '),
    boosts: (count: number) => many(count, 'boost', 'boosts').join(' '),
    favourites: (count: number) => many(count, 'favourite', 'favourites').join(' '),
    picture: 'Picture without a description',
    video: 'Video without a description',
    audio: 'Sound without a description',
    file: 'File without a description',
    playVideo: 'Play video',
    playAudio: 'Listen',
    openFile: 'Open file',
    poll: 'Poll',
    voters: (count: number) => many(count, 'vote', 'votes').join(' '),
    ended: 'Ended',
  },

  form: {
    summary: (count: number) => (count === 1 ? 'One thing needs a change' : `${count} things need a change`),
    optional: 'optional',
  },

  signUp: {
    title: 'Create your account',
    lead: (domain: SafeHtml) => html`A home for you on ${domain}.`,
    askTitle: 'Ask to join',
    askLead: (domain: SafeHtml) => html`A person at ${domain} looks at every request and answers by e-mail.`,
    invitedBy: 'You are invited by',
    invited: 'You have an invitation.',
    username: 'Username',
    usernameHint: 'Letters, digits and underscores. It cannot be changed later.',
    email: 'E-mail address',
    emailHint: 'We send a link there to confirm it. Nobody else sees it.',
    password: 'Password',
    passwordHint: '8 to 128 characters. A few unrelated words are easier to keep than one clever word.',
    birth: 'Date of birth',
    birthHint: (age: number) => `You must be at least ${age} years old. It is checked and not kept.`,
    reason: 'Why would you like to join?',
    reasonHint: 'A sentence or two. Only the moderators read it.',
    rules: 'The rules here',
    agreement: 'Agreement',
    agree: 'I have read the rules and agree to them.',
    agreePlain: 'I agree to be kind to the people here.',
    more: 'Please also read:',
    privacy: 'the privacy policy',
    terms: 'the terms of service',
    submit: 'Create account',
    ask: 'Send request',
    closedTitle: 'New accounts are closed',
    closed: (site: SafeHtml) =>
      html`${site} takes no new people at the moment. An invitation from a member still works.`,
    instead: 'Already have an account?',
    signIn: 'Sign in',
  },

  checkMail: {
    title: 'Check your mail',
    sent: (address: SafeHtml) => html`We have sent a link to ${address}. Follow it to confirm the address.`,
    hint: 'It can take a few minutes. Have a look into your spam folder too.',
    resent: 'We have sent another mail.',
    resend: 'Send it again',
    change: 'Use another address',
    email: 'New e-mail address',
    save: 'Change and send',
  },

  confirmed: {
    title: 'Your address is confirmed',
    ready: (site: SafeHtml) => html`Welcome to ${site}. Everything is ready for you.`,
    pending: 'Your request now waits for a moderator. We write to you as soon as there is an answer.',
    signIn: 'Sign in',
    account: 'Go to your account',
    app: (name: SafeHtml) => html`Go on in ${name}`,
  },

  signIn: {
    title: 'Sign in',
    lead: (site: SafeHtml) => html`Welcome back to ${site}.`,
    toApp: (app: SafeHtml) => html`to go on to ${app}`,
    login: 'E-mail address or username',
    password: 'Password',
    submit: 'Sign in',
    failed: 'That does not match an account. Check both and try again.',
    throttled: 'Too many attempts. Wait a few minutes, then try again.',
    expired: 'This page had been open for too long. Please try again.',
    forgot: 'Forgot your password?',
    instead: 'New here?',
    signUp: 'Create an account',
  },

  ...englishOAuth,

  share: {
    title: 'New post',
    text: 'Text',
    hint: (max: number) => `At most ${formatsFor('en').number.format(max)} characters.`,
    warning: 'Content warning',
    visibility: 'Visibility',
    visibilities: {
      public: 'Public',
      unlisted: 'Quiet public',
      private: 'Followers',
      direct: 'Private mention',
    },
    submit: 'Post',
    done: 'Posted',
    doneText: 'Your post was published. You find it in your app.',
  },

  setup: {
    title: 'Set up your server',
    lead: (domain: SafeHtml) => html`${domain} is running. Make the account that owns it.`,
    emailHint: 'It needs no confirmation. Nobody else sees it.',
    note: 'This page works once. The account is confirmed at once and may do everything.',
    submit: 'Create the owner account',
  },

  mail: {
    title: 'Kept mail',
    lead: 'No mail server is set up, so mail is kept here and never leaves this server. Only you see this page.',
    empty: 'No mail has been written yet.',
    to: 'To',
    from: 'From',
    date: 'Date',
    open: 'Open the link in this mail',
    all: 'All mail',
    untitled: '(no subject)',
  },

  errors: {
    home: 'Go to the front page',
    reference: (id: SafeHtml) => html`If you report this, name ${id}.`,
    400: { title: 'That request makes no sense', text: 'Something in the address or the form was not right.' },
    401: { title: 'Please sign in first', text: 'This page is for people with an account here.' },
    403: { title: 'Not for you', text: 'You are not allowed to see or do this.' },
    404: { title: 'Nothing here', text: 'This page does not exist, or you are not meant to see it.' },
    410: { title: 'Gone', text: 'What was here has been removed for good.' },
    422: {
      title: 'That did not work',
      text: 'The form may have been open for too long. Go back, reload it and try again.',
    },
    429: { title: 'A little slower, please', text: 'There were too many requests. Wait a few minutes and try again.' },
    500: { title: 'Something broke', text: 'The fault is ours. Try again in a moment.' },
    503: { title: 'Back in a moment', text: 'A part of this server does not answer. Try again soon.' },
  },

  pending: {
    title: 'Waiting for approval',
    text: (site: SafeHtml) => html`A moderator of ${site} will look at your request and answer by e-mail.`,
    sentTo: (address: SafeHtml) => html`The answer goes to ${address}.`,
    unconfirmed: 'Your e-mail address is not confirmed yet.',
    confirm: 'Confirm it',
    reason: 'What you wrote',
    signOut: 'Sign out',
  },

  home: {
    title: 'Your account',
    welcome: (name: SafeHtml) => html`Hello, ${name}`,
    profile: 'Your profile',
    apps: 'Connect an app',
    step1: 'Get an app. Every app made for Mastodon works, on phones, computers and in the browser.',
    step2: 'When it asks for your server, type:',
    step3: 'Sign in here when it sends you back, and allow what it asks for.',
    clients: 'Or start now in this browser',
    owner: 'For the owner',
    mail: (count: number) => `Kept mail (${format(count)})`,
    settings: 'Account settings',
    signOut: 'Sign out',
  },

  problems: {
    ERR_TAKEN: 'This is taken already. Please choose another.',
    ERR_RESERVED: 'This is reserved. Please choose another.',
    ERR_BLANK: 'This cannot be empty.',
    ERR_INVALID: 'This does not look right. Please check it.',
    ERR_TOO_LONG: 'This is too long.',
    ERR_TOO_SHORT: 'This is too short.',
    ERR_ACCEPTED: 'Please agree to go on.',
    ERR_BLOCKED: 'Addresses of this provider are not allowed here.',
    ERR_UNREACHABLE: 'Mail cannot be sent to this address. Is it spelled right?',
    ERR_BELOW_LIMIT: 'You are too young for this server.',
    ERR_WRONG: 'This is not your password.',
    ERR_NOT_FOUND: 'Nobody was found under this name.',
    ERR_SELF: 'This is the account that you are using.',
    ERR_NO_ALIAS: 'That account does not name this one as an alias yet.',
    ERR_MOVED_THERE: 'You have moved there already.',
    ERR_MOVED_ON: 'That account has moved somewhere else itself.',
    ERR_TOO_SOON: 'You have moved lately. Please wait until the time is over.',
    ERR_TOO_MANY: 'There are too many of them.',
  } as Readonly<Record<string, string>>,

  everybody: englishPublic,
  scopes: englishScopes,
  settings: englishSettings,
}

/** A catalogue: the words of one language, with functions where something is inserted. */
export type Text = typeof english

const catalogues = new Map<string, Text>([[english.lang, english]])

/** The catalogue for a BCP 47 tag, then for its language alone, then English. Its `lang` says which it is. */
export function textFor(tag: string): Text {
  return catalogues.get(tag) ?? catalogues.get(tag.split('-')[0] ?? '') ?? english
}

function format(count: number): string {
  return formatsFor('en').number.format(count)
}

/** The number and its noun apart, so that a page can set them differently. */
function many(count: number, one: string, other: string): [number: string, noun: string] {
  return [format(count), count === 1 ? one : other]
}
