import type { MessageId } from '../../lib/i18n/messages.ts'
import type { IconName } from '../../ui/icons/icon.tsx'

/** The sections of the settings in this client, with the settings by which the search finds them. */
export const CLIENT_SECTIONS = {
  appearance: {
    icon: 'eye',
    contains: [
      'web.settings.theme',
      'web.settings.textSize',
      'web.settings.media',
      'web.settings.expandWarnings',
      'web.settings.reducedMotion',
      'web.settings.animate',
    ],
  },
  timelines: {
    icon: 'list',
    contains: [
      'web.settings.showBoosts',
      'web.settings.showReplies',
      'web.settings.threadsBeside',
      'web.settings.composerBeside',
      'web.settings.confirmBoost',
    ],
  },
  posting: {
    icon: 'write',
    contains: [
      'web.settings.visibility',
      'web.settings.quotes',
      'web.settings.post-language',
      'web.settings.sensitive',
      'web.settings.askForAltText',
    ],
  },
  privacy: {
    icon: 'lock',
    contains: [
      'web.settings.locked',
      'web.settings.hideCollections',
      'web.settings.discoverable',
      'web.settings.indexable',
    ],
  },
  notifications: { icon: 'bell', contains: ['web.settings.push', 'web.settings.push.policy'] },
  keyboard: { icon: 'menu', contains: ['web.settings.singleKeys', 'web.shortcuts.title'] },
} as const satisfies Record<string, { icon: IconName; contains: readonly MessageId[] }>

export type ClientSection = keyof typeof CLIENT_SECTIONS

/** The settings on pages of the server, with their paths. */
export const SERVER_PAGES = {
  account: { path: '/auth/edit', icon: 'mail' },
  language: { path: '/auth/edit', icon: 'translate' },
  'time-zone': { path: '/settings/preferences', icon: 'clock' },
  mails: { path: '/settings/email-notifications', icon: 'bell' },
  filters: { path: '/filters', icon: 'hidden' },
  cleanup: { path: '/settings/statuses-cleanup', icon: 'clock' },
  'two-factor': { path: '/settings/two_factor_authentication_methods', icon: 'shield' },
  sessions: { path: '/settings/sessions', icon: 'globe' },
  'log-ins': { path: '/settings/login_activities', icon: 'clock' },
  apps: { path: '/oauth/authorized_applications', icon: 'external' },
  invites: { path: '/invites', icon: 'follow' },
  export: { path: '/settings/export', icon: 'copy' },
  imports: { path: '/settings/imports', icon: 'plus' },
  aliases: { path: '/settings/aliases', icon: 'at' },
  migration: { path: '/settings/migration', icon: 'forward' },
  strikes: { path: '/settings/strikes', icon: 'flag' },
  deletion: { path: '/settings/delete', icon: 'trash' },
} as const satisfies Record<string, { path: string; icon: IconName }>

export type ServerPage = keyof typeof SERVER_PAGES
