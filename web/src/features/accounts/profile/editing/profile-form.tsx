import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatNumber } from '../../../../lib/i18n/formats.ts'
import { message } from '../../../../lib/i18n/messages.ts'
import { reasonOf } from '../../../../lib/api/reason-of.ts'
import { api } from '../../../../lib/session.ts'
import { useDraft } from '../../../../lib/store/use-draft.ts'
import type { Profile } from '../../../../lib/api/entities.ts'
import { Checkbox, TextArea, TextField } from '../../../../ui/forms/form-fields.tsx'
import { PictureField } from '../../../../ui/forms/picture-field.tsx'
import type { PictureChange } from '../../../../ui/forms/picture-field.tsx'
import { showToast } from '../../../../ui/notices/toasts.tsx'
import { ownAccountQuery } from '../../own/own-account.ts'
import { profileQuery } from '../profile-query.ts'
import { SteadyButton } from '../../../../ui/forms/steady-button.tsx'
import styles from './profile-form.module.css'

const FIELDS = 4
const MAX_NAME_CHARACTERS = 30
const MAX_NOTE_CHARACTERS = 500
const MAX_FIELD_CHARACTERS = 255
const FLAGS = ['locked', 'bot', 'discoverable', 'indexable', 'hideCollections'] as const
const FLAG_TEXTS = {
  locked: 'locked',
  bot: 'bot',
  discoverable: 'discoverable',
  indexable: 'indexable',
  hideCollections: 'hide-collections',
} as const

/** The form in which the user edits the own profile. What is not saved yet is still there when the user returns. */
export function ProfileForm({ profile }: { profile: Profile }) {
  const queryClient = useQueryClient()
  const { value: draft, isChanged, change: setDraft, reset } = useDraft('profile', draftOf(profile))
  const latest = useRef(draft)
  useEffect(() => {
    latest.current = draft
  })
  const [isSaving, setIsSaving] = useState(false)
  const change = (part: Partial<typeof draft>) => setDraft({ ...draft, ...part })

  const save = async () => {
    setIsSaving(true)
    try {
      const { avatar, header, ...texts } = draft
      const { profile: own } = api().v1
      if (avatar.type === 'remove') await own.avatar.remove()
      if (header.type === 'remove') await own.header.remove()
      const saved = (await own.update({
        ...texts,
        fieldsAttributes: texts.fieldsAttributes.map((field) => ({ ...field, verifiedAt: null })),
        ...(avatar.type === 'replace' ? { avatar: avatar.file } : {}),
        ...(header.type === 'replace' ? { header: header.file } : {}),
      })) as unknown as Profile
      queryClient.setQueryData(profileQuery.queryKey, saved)
      // What the user has changed meanwhile stays.
      if (latest.current === draft) reset(draftOf(saved))
      void queryClient.invalidateQueries(ownAccountQuery)
      void queryClient.invalidateQueries({ queryKey: ['account'] })
      showToast({ kind: 'good', text: message('web.edit-profile.saved') })
    } catch (error) {
      showToast({
        kind: 'alert',
        text: reasonOf(error, message('web.edit-profile.failed')),
        action: { label: message('web.retry'), run: () => void save() },
      })
    } finally {
      setIsSaving(false)
    }
  }

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        void save()
      }}
    >
      <PictureField
        shape="header"
        texts={pictureTexts('header')}
        current={profile.header}
        change={draft.header}
        onChange={(header) => change({ header })}
        description={draft.headerDescription}
        onDescription={(headerDescription) => change({ headerDescription })}
      />
      <PictureField
        shape="avatar"
        texts={pictureTexts('avatar')}
        current={profile.avatar}
        change={draft.avatar}
        onChange={(avatar) => change({ avatar })}
        description={draft.avatarDescription}
        onDescription={(avatarDescription) => change({ avatarDescription })}
      />
      <TextField
        label={message('web.edit-profile.name')}
        value={draft.displayName}
        maxLength={MAX_NAME_CHARACTERS}
        onChange={(displayName) => change({ displayName })}
      />
      <TextArea
        label={message('web.edit-profile.bio')}
        hint={message('web.edit-profile.bio-hint')}
        value={draft.note}
        maxLength={MAX_NOTE_CHARACTERS}
        onChange={(note) => change({ note })}
      />
      <fieldset className={styles.fields}>
        <legend>{message('web.edit-profile.fields')}</legend>
        <p className={styles.hint}>{message('web.edit-profile.fields-hint')}</p>
        {draft.fieldsAttributes.map((field, index) => (
          <FieldInputs
            key={index}
            number={index + 1}
            field={field}
            onChange={(next) => change({ fieldsAttributes: draft.fieldsAttributes.with(index, next) })}
          />
        ))}
      </fieldset>
      <fieldset className={styles.flags}>
        <legend>{message('web.edit-profile.privacy')}</legend>
        {FLAGS.map((flag) => (
          <Checkbox
            key={flag}
            label={message(`web.edit-profile.${FLAG_TEXTS[flag]}`)}
            hint={message(`web.edit-profile.${FLAG_TEXTS[flag]}-hint`)}
            isChecked={draft[flag]}
            onChange={(isOn) => change({ [flag]: isOn })}
          />
        ))}
      </fieldset>
      <p className={styles.actions}>
        {isChanged && (
          <button
            type="button"
            className="button button-line"
            onClick={({ currentTarget }) => {
              currentTarget.closest('form')?.querySelector<HTMLElement>('[type=submit]')?.focus()
              reset(draftOf(profile))
            }}
          >
            {message('web.edit-profile.discard')}
          </button>
        )}
        <SteadyButton type="submit" className="button" isUnusable={isSaving}>
          {message('web.save')}
        </SteadyButton>
      </p>
    </form>
  )
}

const pictureTexts = (kind: 'avatar' | 'header') => ({
  title: message(`web.edit-profile.${kind}`),
  file: message(`web.edit-profile.${kind}-file`),
  choose: message(`web.edit-profile.${kind}-choose`),
  remove: message(`web.edit-profile.${kind}-remove`),
  description: message(`web.edit-profile.${kind}-description`),
})

interface FieldDraft {
  name: string
  value: string
}

function FieldInputs({
  number,
  field,
  onChange,
}: {
  number: number
  field: FieldDraft
  onChange: (field: FieldDraft) => void
}) {
  return (
    <div className={styles.field}>
      <TextField
        label={message('web.edit-profile.label', { number: formatNumber(number) })}
        value={field.name}
        maxLength={MAX_FIELD_CHARACTERS}
        onChange={(name) => onChange({ ...field, name })}
      />
      <TextField
        label={message('web.edit-profile.content', { number: formatNumber(number) })}
        value={field.value}
        maxLength={MAX_FIELD_CHARACTERS}
        onChange={(value) => onChange({ ...field, value })}
      />
    </div>
  )
}

interface ProfileDraft extends Pick<
  Profile,
  'displayName' | 'note' | 'avatarDescription' | 'headerDescription' | 'locked' | 'bot' | 'indexable'
> {
  discoverable: boolean
  hideCollections: boolean
  fieldsAttributes: FieldDraft[]
  avatar: PictureChange
  header: PictureChange
}

function draftOf(profile: Profile): ProfileDraft {
  const { displayName, note, avatarDescription, headerDescription, locked, bot, indexable } = profile
  const fields = profile.fields.map(({ name, value }) => ({ name, value }))
  const empty = Array.from({ length: FIELDS - fields.length }, (): FieldDraft => ({ name: '', value: '' }))
  return {
    displayName,
    note,
    avatarDescription,
    headerDescription,
    locked,
    bot,
    indexable,
    discoverable: profile.discoverable ?? false,
    hideCollections: profile.hideCollections ?? false,
    fieldsAttributes: [...fields, ...empty],
    avatar: { type: 'keep' },
    header: { type: 'keep' },
  }
}
