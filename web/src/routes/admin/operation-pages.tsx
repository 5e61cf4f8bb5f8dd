import { useParams, useSearch } from '@tanstack/react-router'
import { AuditLog } from '../../features/admin/audit-log/audit-log.tsx'
import { EmailTest } from '../../features/admin/block-lists/email-test.tsx'
import { ResourcePage } from '../../features/admin/block-lists/resource-page.tsx'
import { canonicalEmailBlocks, relays } from '../../features/admin/block-lists/resources.ts'
import { ImportList } from '../../features/admin/domain-block-imports/import-list.tsx'
import { ImportView } from '../../features/admin/domain-block-imports/import-view.tsx'
import { UploadForm } from '../../features/admin/domain-block-imports/upload-form.tsx'
import { EmojiList, NewEmoji } from '../../features/admin/emojis/emoji-list.tsx'
import { JobList } from '../../features/admin/jobs/job-list.tsx'
import { MailList } from '../../features/admin/mails/mail-list.tsx'
import { MediaView } from '../../features/admin/media/media-view.tsx'
import { RetentionView } from '../../features/admin/retention/retention-view.tsx'
import { AdminPage } from '../../features/admin/shared/shell/admin-page.tsx'
import { SuggestionList } from '../../features/admin/suggestions/suggestion-list.tsx'
import { TrendReview } from '../../features/admin/trends/trend-review.tsx'
import { NewWebhook, WebhookList } from '../../features/admin/webhooks/webhook-list.tsx'
import { WebhookView } from '../../features/admin/webhooks/webhook-view.tsx'
import { message } from '../../lib/i18n/messages.ts'

export function CustomEmojisPage() {
  const filters = useSearch({ from: '/admin/custom_emojis' })
  return (
    <AdminPage title={message('web.admin.nav.custom_emojis')} permission="manageCustomEmojis" head={<NewEmoji />}>
      <EmojiList filters={filters} />
    </AdminPage>
  )
}

export function WebhooksPage() {
  return (
    <AdminPage title={message('web.admin.nav.webhooks')} permission="manageWebhooks" head={<NewWebhook />}>
      <WebhookList />
    </AdminPage>
  )
}

export function WebhookPage() {
  const { id } = useParams({ from: '/admin/webhooks/$id' })
  return (
    <AdminPage title={message('web.admin.webhooks.title')} permission="manageWebhooks" back>
      <WebhookView id={id} />
    </AdminPage>
  )
}

export function RelaysPage() {
  return <ResourcePage title={message('web.admin.nav.relays')} resource={relays()} />
}

export function TrendsPage() {
  const filters = useSearch({ from: '/admin/trends' })
  return (
    <AdminPage title={message('web.admin.nav.trends')} permission="manageTaxonomies">
      <TrendReview {...filters} />
    </AdminPage>
  )
}

export function FollowRecommendationsPage() {
  const { state = 'suggested' } = useSearch({ from: '/admin/follow_recommendations' })
  return (
    <AdminPage title={message('web.admin.nav.follow_recommendations')} permission="manageTaxonomies">
      <SuggestionList state={state} />
    </AdminPage>
  )
}

export function AuditLogPage() {
  const filters = useSearch({ from: '/admin/action_logs' })
  return (
    <AdminPage title={message('web.admin.nav.action_logs')} permission="viewAuditLog">
      <AuditLog filters={filters} />
    </AdminPage>
  )
}

export function JobsPage() {
  const filters = useSearch({ from: '/admin/jobs' })
  return (
    <AdminPage title={message('web.admin.nav.jobs')} permission="devops">
      <JobList {...filters} />
    </AdminPage>
  )
}

export function MailsPage() {
  const filters = useSearch({ from: '/admin/mails' })
  return (
    <AdminPage title={message('web.admin.nav.mails')} permission="devops">
      <MailList {...filters} />
    </AdminPage>
  )
}

export function MediaPage() {
  return (
    <AdminPage title={message('web.admin.nav.media')} permission="devops">
      <MediaView />
    </AdminPage>
  )
}

export function RetentionPolicyPage() {
  return (
    <AdminPage title={message('web.admin.nav.retention_policy')} permission="manageSettings">
      <RetentionView />
    </AdminPage>
  )
}

export function DomainBlockUploadPage() {
  return (
    <AdminPage title={message('web.admin.imports.new')} permission="manageFederation" back>
      <UploadForm />
      <ImportList />
    </AdminPage>
  )
}

export function DomainBlockImportPage() {
  const { id } = useParams({ from: '/admin/domain_blocks/imports/$id' })
  return (
    <AdminPage title={message('web.admin.imports.title')} permission="manageFederation" back>
      <ImportView id={id} />
    </AdminPage>
  )
}

export function CanonicalEmailBlocksPage() {
  return (
    <ResourcePage title={message('web.admin.nav.canonical_email_blocks')} resource={canonicalEmailBlocks()}>
      <EmailTest />
    </ResourcePage>
  )
}
