import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { AdminAnnouncement } from '../../../lib/api/admin-entities.ts'
import { suggestTime } from '../../../lib/i18n/local-time.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { Choice } from '../../../ui/forms/form-fields.tsx'
import { customEmojisQuery } from '../../emojis/custom-emojis.ts'
import { showDecision } from '../shared/decisions/undo.ts'
import { Field, Switch } from '../shared/form/field.tsx'
import { FormActions } from '../shared/form/form-actions.tsx'
import { useDraft } from '../../../lib/store/use-draft.ts'
import { SavedForm } from '../shared/form/saved-form.tsx'
import { useSubmit } from '../shared/form/use-submit.ts'
import { QueryResult } from '../shared/list/query-result.tsx'
import { draftOf, findProblems, NEW_ANNOUNCEMENT, withAllDay } from './announcement-draft.ts'
import type { AnnouncementDraft, Publication } from './announcement-draft.ts'
import { AnnouncementPreview } from './announcement-preview.tsx'
import {
  announcementQuery,
  changeAnnouncement,
  createAnnouncement,
  deleteAnnouncement,
} from './announcement-queries.ts'
import admin from '../shared/admin.module.css'
import styles from './announcements.module.css'

const MAX_CHARACTERS = 10_000

/** The form of an announcement. `id`: `new` for a new one. */
export function AnnouncementForm({ id }: { id: string }) {
  if (id === 'new') return <Form announcement={null} />
  return <ExistingAnnouncement id={id} />
}

function ExistingAnnouncement({ id }: { id: string }) {
  const query = useQuery(announcementQuery(id))
  return <QueryResult query={query}>{(announcement) => <Form announcement={announcement} />}</QueryResult>
}

function Form({ announcement }: { announcement: AdminAnnouncement | null }) {
  const before = announcement ? draftOf(announcement) : NEW_ANNOUNCEMENT
  const { value: draft, isChanged, change, reset } = useDraft(`announcement-${announcement?.id ?? 'new'}`, before)
  const { form, errors, failure, isBusy, submit } = useSubmit()
  const { data: emojis = [] } = useQuery(customEmojisQuery)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin'] })
  const isPublished = announcement?.published ?? false
  const check = () => {
    const problems = Object.entries(findProblems(draft, { now: new Date() }))
    return Object.fromEntries(
      problems.map(([name, problem]) => [name, message(`web.admin.announcements.problem.${problem}`)]),
    )
  }
  const save = () =>
    void submit(async () => {
      const created = announcement ? null : await createAnnouncement(draft)
      if (announcement) await changeAnnouncement(announcement, draft)
      reset()
      const undo = created ? () => deleteAnnouncement(created.id) : undoOf(announcement, draft)
      showDecision({
        text: message(`web.admin.announcements.saved.${draft.publication}`),
        undo: undo && (() => undo().then(refresh)),
      })
      await refresh()
      await navigate({ to: '/admin/announcements' })
    }, check)
  return (
    <SavedForm form={form} onSave={save}>
      <div className={styles.form}>
        <Field
          label={message('web.admin.announcements.text')}
          hint={message('web.admin.announcements.text.hint')}
          error={errors['text']}
        >
          {(props) => (
            <textarea
              {...props}
              dir="auto"
              rows={6}
              required
              maxLength={MAX_CHARACTERS}
              value={draft.text}
              onChange={({ target }) => change({ ...draft, text: target.value })}
            />
          )}
        </Field>
        {draft.text.trim() !== '' && (
          <section className={styles.group} aria-label={message('web.admin.announcements.preview')}>
            <h2 className={admin.heading}>{message('web.admin.announcements.preview')}</h2>
            <AnnouncementPreview text={draft.text} emojis={emojis} />
          </section>
        )}
        <EventFields draft={draft} errors={errors} onChange={change} />
        {isPublished ? (
          <p className={admin.soft}>{message('web.admin.announcements.is-published')}</p>
        ) : (
          <PublicationFields draft={draft} error={errors['scheduled_at']} onChange={change} />
        )}
      </div>
      <FormActions
        isChanged={isChanged}
        isBusy={isBusy}
        failure={failure}
        submit={message(isPublished ? 'web.admin.save' : `web.admin.announcements.submit.${draft.publication}`)}
        onDiscard={() => reset()}
      />
    </SavedForm>
  )
}

/** Returns how to take a change back; null if it was published by it, so that users have seen it. */
function undoOf(announcement: AdminAnnouncement | null, draft: AnnouncementDraft): (() => Promise<void>) | null {
  if (!announcement || announcement.ended || (!announcement.published && draft.publication === 'now')) return null
  return () => changeAnnouncement(announcement, draftOf(announcement))
}

function EventFields({
  draft,
  errors,
  onChange,
}: {
  draft: AnnouncementDraft
  errors: Readonly<Record<string, string>>
  onChange: (draft: AnnouncementDraft) => void
}) {
  return (
    <fieldset className={styles.group}>
      <legend>{message('web.admin.announcements.event')}</legend>
      <p className={admin.soft}>{message('web.admin.announcements.event.hint')}</p>
      <div className={styles.times}>
        {(
          [
            ['startsAt', 'starts_at'],
            ['endsAt', 'ends_at'],
          ] as const
        ).map(([name, parameter]) => (
          <Field key={name} label={message(`web.admin.announcements.${name}`)} error={errors[parameter]}>
            {(props) => (
              <input
                {...props}
                type={draft.allDay ? 'date' : 'datetime-local'}
                value={draft[name]}
                onChange={({ target }) => onChange({ ...draft, [name]: target.value })}
              />
            )}
          </Field>
        ))}
      </div>
      <Switch
        label={message('web.admin.announcements.allDay')}
        isOn={draft.allDay}
        onChange={(allDay) => onChange(withAllDay(draft, allDay))}
      />
    </fieldset>
  )
}

const PUBLICATIONS: readonly Publication[] = ['now', 'scheduled', 'draft']

function PublicationFields({
  draft,
  error,
  onChange,
}: {
  draft: AnnouncementDraft
  error: string | undefined
  onChange: (draft: AnnouncementDraft) => void
}) {
  return (
    <>
      <Choice
        label={message('web.admin.announcements.publication')}
        value={draft.publication}
        options={PUBLICATIONS.map((value) => ({
          value,
          label: message(`web.admin.announcements.publication.${value}`),
        }))}
        onChange={(publication) =>
          onChange({ ...draft, publication, scheduledAt: draft.scheduledAt === '' ? suggestTime() : draft.scheduledAt })
        }
      />
      {draft.publication === 'scheduled' && (
        <Field label={message('web.admin.announcements.scheduledAt')} error={error}>
          {(props) => (
            <input
              {...props}
              type="datetime-local"
              required
              value={draft.scheduledAt}
              onChange={({ target }) => onChange({ ...draft, scheduledAt: target.value })}
            />
          )}
        </Field>
      )}
    </>
  )
}
