import { html } from '../../lib/html.ts'
import type { SafeHtml } from '../../lib/html.ts'

/** The texts of the pages on which a user authorises an app, in English. */
export const englishOAuth = {
  consent: {
    title: (app: string) => `Let ${app} use your account?`,
    heading: (app: SafeHtml) => html`Let ${app} use your account?`,
    signedInAs: 'You are signed in as',
    switch: 'Switch account',
    could: 'If you allow it, this app could:',
    groups: {
      read: 'Read',
      write: 'Write',
      follow: 'Follow',
      push: 'Notify',
      admin: 'Moderate',
    },
    adminNote: 'This reaches other people’s data. Allow it only to a tool that you trust with the whole server.',
    never: 'It never gets to see your password.',
    facts: 'About the app',
    website: 'Website',
    noWebsite: 'none given',
    after: 'Afterwards',
    toSite: (host: SafeHtml) => html`You go to ${host}`,
    toApp: (scheme: SafeHtml) => html`You go back to an app on this device (${scheme})`,
    toDevice: (host: SafeHtml) => html`You go back to a program on this device (${host})`,
    toCode: 'You get a code to copy into the app',
    allow: 'Allow',
    deny: 'Deny',
  },

  consentDone: {
    allowed: 'Done',
    allowedText: (app: SafeHtml) => html`${app} may now use your account.`,
    denied: 'Nothing was allowed',
    deniedText: (app: SafeHtml) => html`${app} did not get access to your account.`,
    go: (app: SafeHtml) => html`Go on to ${app}`,
    byHand: 'One more step: use the button to go back.',
  },

  nativeCode: {
    title: 'Your code',
    text: (app: SafeHtml) => html`Copy this code and paste it into ${app}.`,
    code: 'Authorization code',
    hint: 'It works once and for ten minutes. Give it to nobody else.',
    theApp: 'the app',
  },
}
