import { useQueryClient } from '@tanstack/react-query'
import { adminApi } from '../../../lib/api/admin-api.ts'
import type { AdminTermsOfService } from '../../../lib/api/admin-entities.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { formatUtcDay } from '../../../lib/i18n/utc-day.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { Field } from '../shared/form/field.tsx'
import { MarkdownPreview } from '../shared/form/markdown-preview.tsx'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { useSubmit } from '../shared/form/use-submit.ts'

const MAX_CHARACTERS = 100_000
const MAX_CHANGELOG_CHARACTERS = 10_000

/** Publishes a version of the terms, or replaces one that is not in force yet. */
export function TermsDialog({
  version,
  versions,
  onClose,
}: {
  version: AdminTermsOfService | null
  versions: readonly AdminTermsOfService[]
  onClose: () => void
}) {
  const { value, isChanged, change, reset } = useDraft(`terms-${version?.effectiveDate ?? 'new'}`, {
    // A new version begins as a copy of the latest one.
    text: (version ?? versions[0])?.text ?? '',
    changelog: version?.changelog ?? '',
    effectiveDate: version?.effectiveDate ?? new Date().toISOString().slice(0, 10),
  })
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const queryClient = useQueryClient()
  const { text, changelog, effectiveDate } = value
  const check = (): Record<string, string> =>
    versions.some((other) => other.effectiveDate === effectiveDate && other.effectiveDate !== version?.effectiveDate)
      ? { effective_date: message('web.admin.terms.taken') }
      : {}
  const save = () =>
    void submit(async () => {
      await adminApi('terms_of_service').create({ text, changelog, effectiveDate })
      reset()
      onClose()
      showDecision({
        text: message('web.admin.terms.published', { date: formatUtcDay(new Date(effectiveDate)) }),
        undo: async () => {
          if (version)
            await adminApi('terms_of_service').create({
              text: version.text,
              changelog: version.changelog,
              effectiveDate,
            })
          else await adminApi('terms_of_service', effectiveDate).remove()
          await queryClient.invalidateQueries({ queryKey: ['admin', 'terms-of-service'] })
        },
      })
      await queryClient.invalidateQueries({ queryKey: ['admin', 'terms-of-service'] })
    }, check)
  return (
    <AdminDialog
      title={message(version ? 'web.admin.terms.edit' : 'web.admin.terms.new')}
      confirm={message('web.admin.publish')}
      isBusy={isBusy}
      isWide
      focus="first"
      failure={failure}
      form={form}
      onDiscard={isChanged ? () => reset() : undefined}
      onConfirm={save}
      onClose={onClose}
    >
      <Field
        label={message('web.admin.terms.date')}
        hint={message('web.admin.terms.date.hint')}
        error={errors['effective_date']}
      >
        {(props) => (
          <input
            {...props}
            type="date"
            required
            readOnly={version !== null}
            value={effectiveDate}
            onChange={({ target }) => change({ ...value, effectiveDate: target.value })}
          />
        )}
      </Field>
      <Field label={message('web.admin.terms.content')} hint={message('web.admin.markdown')} error={errors['text']}>
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            rows={14}
            required
            maxLength={MAX_CHARACTERS}
            value={text}
            onChange={({ target }) => change({ ...value, text: target.value })}
          />
        )}
      </Field>
      <MarkdownPreview name={message('web.admin.terms.content')} text={text} />
      <Field
        label={message('web.admin.terms.changelog')}
        hint={message('web.admin.terms.changelog.hint')}
        error={errors['changelog']}
      >
        {(props) => (
          <textarea
            {...props}
            dir="auto"
            rows={4}
            maxLength={MAX_CHANGELOG_CHARACTERS}
            value={changelog}
            onChange={({ target }) => change({ ...value, changelog: target.value })}
          />
        )}
      </Field>
    </AdminDialog>
  )
}
