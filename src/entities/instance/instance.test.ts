import assert from 'node:assert/strict'
import { test } from 'node:test'
import { local } from '../../../test/http/entities/entity-samples.ts'
import { type EntityName, assertEntity, matchesEntity } from '../../../test/http/entities/entity-schemas.ts'
import type { Instance, V1Instance } from './instance.ts'

const rules: Instance['rules'] = [
  { id: '26', text: 'Be kind', hint: '', translations: { de: { text: 'Sei nett', hint: '' } } },
]

const access = { local: 'public', remote: 'authenticated' } as const

const instance: Instance = {
  domain: 'a.test',
  title: 'A',
  version: '4.6.5 (compatible; Linnet 0.1.0)',
  source_url: 'https://source.test',
  description: '',
  usage: { users: { active_month: 1 } },
  thumbnail: { url: 'https://a.test/thumbnail.png', blurhash: null, versions: null, description: '' },
  icon: [{ src: 'https://a.test/36.png', size: '36x36' }],
  languages: ['en'],
  configuration: {
    urls: {
      streaming: 'wss://a.test',
      status: null,
      about: 'https://a.test/about',
      privacy_policy: 'https://a.test/privacy-policy',
      terms_of_service: null,
    },
    vapid: { public_key: 'BF' },
    accounts: {
      max_featured_tags: 10,
      max_pinned_statuses: 5,
      max_display_name_length: 40,
      max_note_length: 500,
      max_avatar_description_length: 150,
      max_header_description_length: 150,
      max_profile_fields: 4,
      profile_field_name_limit: 255,
      profile_field_value_limit: 255,
    },
    statuses: { max_characters: 500, max_media_attachments: 4, characters_reserved_per_url: 23 },
    media_attachments: {
      supported_mime_types: ['image/png'],
      description_limit: 10_000,
      image_size_limit: 16_777_216,
      image_matrix_limit: 33_177_600,
      video_size_limit: 103_809_024,
      video_frame_rate_limit: 120,
      video_matrix_limit: 8_294_400,
    },
    polls: { max_options: 4, max_characters_per_option: 50, min_expiration: 300, max_expiration: 2_629_746 },
    translation: { enabled: false },
    timelines_access: { live_feeds: access, hashtag_feeds: access, trending_link_feeds: access },
    limited_federation: false,
  },
  registrations: {
    enabled: false,
    approval_required: false,
    reason_required: false,
    message: '<p>Closed</p>',
    min_age: null,
    url: null,
  },
  api_versions: { mastodon: 2 },
  contact: { email: 'owner@a.test', account: local },
  rules,
  wrapstodon: null,
}

const oldInstance: V1Instance = {
  uri: 'a.test',
  title: 'A',
  short_description: '',
  description: '',
  email: 'owner@a.test',
  version: instance.version,
  urls: { streaming_api: 'wss://a.test' },
  stats: { user_count: 1, status_count: 2, domain_count: 3 },
  thumbnail: 'https://a.test/thumbnail.png',
  languages: ['en'],
  registrations: false,
  approval_required: false,
  invites_enabled: false,
  configuration: {
    accounts: { max_featured_tags: 10 },
    statuses: instance.configuration.statuses,
    media_attachments: instance.configuration.media_attachments,
    polls: instance.configuration.polls,
  },
  contact_account: null,
  rules,
}

test('the instance entities of both API versions are valid', () => {
  assertEntity('Instance', instance)
  assertEntity('V1Instance', oldInstance)
})

const wrong: [why: string, EntityName, unknown][] = [
  [
    'a limit as text',
    'Instance',
    { ...instance, configuration: { ...instance.configuration, polls: { max_options: '4' } } },
  ],
  [
    'an unknown access to feeds',
    'Instance',
    { ...instance, configuration: { ...instance.configuration, timelines_access: { live_feeds: { local: 'some' } } } },
  ],
  ['a rule without its translations', 'Instance', { ...instance, rules: [{ id: '26', text: 'Be kind', hint: '' }] }],
  ['registrations in the new form', 'V1Instance', { ...oldInstance, registrations: instance.registrations }],
]

for (const [why, name, value] of wrong) {
  test(`${name} rejects ${why}`, () => assert.equal(matchesEntity(name, value), false))
}
