import { html } from '../../lib/html.ts'
import type { SafeHtml } from '../../lib/html.ts'

/** The words of the pages on which people change their own account, in English. */
export const englishSettings = {
  back: 'Account settings',
  currentPassword: 'Your present password',
  confirmHint: 'Asked again, so that nobody else does this in your name.',

  account: {
    title: 'Account settings',
    password: 'Password',
    newPassword: 'New password',
    changePassword: 'Change password',
    passwordNote: 'Every app and every other browser is signed out. You get a letter about it.',
    changed: 'Your password was changed, and everything else was signed out.',
    more: 'More',
    email: 'E-mail address',
    letters: 'Letters',
    aliases: 'Names elsewhere',
    migration: 'Move to another account',
    deletion: 'Delete your account',
  },

  email: {
    title: 'E-mail address',
    present: (address: SafeHtml) => html`At present it is ${address}.`,
    label: 'New e-mail address',
    hint: 'We send a link there. Until you follow it, everything stays as it is.',
    submit: 'Change address',
    sent: 'A letter with a link is on its way to the new address.',
  },

  letters: {
    title: 'Letters',
    lead: 'We can write to you when something happens that you have not seen after two minutes.',
    kinds: {
      mention: 'Somebody mentions me',
      quote: 'Somebody quotes me',
      follow: 'Somebody follows me',
      follow_request: 'Somebody asks to follow me',
      reblog: 'Somebody boosts my posts',
      favourite: 'Somebody favourites my posts',
    },
    always: 'Also when I have seen it already',
    submit: 'Save',
    saved: 'This is how it is from now on.',
    stopTitle: 'No such letters any more?',
    stopLead: (what: string) => `You will get no letters of this kind any more: “${what}”.`,
    stop: 'Stop these letters',
    stoppedTitle: 'Stopped',
    stopped: 'You get no such letters any more. You can change that in the account settings.',
  },

  aliases: {
    title: 'Names elsewhere',
    lead: 'Before you move here from another account, name it here: only then its followers are sent to you.',
    label: 'The other account',
    hint: 'Its handle, such as name@server.example, or its address.',
    add: 'Add',
    listed: 'Your other accounts',
    none: 'None is named yet.',
    remove: (name: SafeHtml) => html`Remove<span class="unseen"> ${name}</span>`,
    added: 'It is named now. Other servers are told.',
    removed: 'It is not named any more.',
  },

  migration: {
    title: 'Move to another account',
    lead: 'Your followers are sent to your new account, here or on another server. Your posts stay here.',
    points: [
      'First name this account as an alias over there.',
      'Nothing can be posted from this account afterwards, and nobody can follow it.',
      'You can undo the redirection, but followers do not come back by themselves.',
    ],
    every: (days: number) => `You can do this once in ${days} days.`,
    label: 'Your new account',
    hint: 'Its handle, such as name@server.example, or its address.',
    submit: 'Move my followers',
    moved: 'You have moved',
    movedTo: 'Whoever looks for you here is sent to:',
    cancel: 'Undo the redirection',
    cancelNote: 'This account can be used again. Followers who have gone stay there.',
    done: 'Your followers are on their way.',
    cancelled: 'This account is yours again, as before.',
    again: 'Move somewhere else',
  },

  deletion: {
    title: 'Delete your account',
    lead: 'Your posts, files, follows and settings are removed for good, here and on the servers that hear of it.',
    points: [
      'It begins at once and cannot be undone.',
      'Nobody, not even you, can take the same name here again.',
      'Copies on other servers go if these servers do as they are asked.',
    ],
    submit: 'Delete everything',
    goneTitle: 'Your account is gone',
    gone: (site: SafeHtml) => html`${site} has forgotten you, and the other servers are being told. Farewell.`,
  },

  forgotten: {
    title: 'Forgot your password?',
    lead: 'Type the e-mail address of your account. We send a link by which you choose a new password.',
    email: 'E-mail address',
    submit: 'Send the link',
    sentTitle: 'Check your mail',
    sent: 'If there is an account with this address, a letter with a link is on its way.',
    sentHint: 'It can take a few minutes. Have a look into your spam folder too.',
    newTitle: 'Choose a new password',
    newLead: 'Every app and every browser is signed out afterwards.',
    save: 'Save the password',
    saved: 'Your password was changed. Sign in with the new one.',
    refused: 'This link does not work any more: it was used, or a newer letter was sent, or it is too old.',
  },
}
