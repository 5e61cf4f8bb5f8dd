import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../../lib/session.ts'
import type { CredentialAccount } from '../../lib/api/entities.ts'
import { message } from '../../lib/i18n/messages.ts'
import { Avatar } from '../../ui/accounts/avatar.tsx'
import { TextArea, TextField } from '../../ui/forms/form-fields.tsx'
import { Icon } from '../../ui/icons/icon.tsx'
import { ownAccountQuery } from '../accounts/own/own-account.ts'
import { StepForm } from './step-form.tsx'
import type { StepProps } from './step-form.tsx'
import styles from './setup-wizard.module.css'

const MAX_NAME_LENGTH = 30
const MAX_BIO_LENGTH = 500

/** The picture, the name and the biography of the user. */
export function ProfileStep({ account, onDone, onBack }: StepProps) {
  const queries = useQueryClient()
  const [displayName, setDisplayName] = useState(account.displayName)
  const [note, setNote] = useState(account.source.note)
  const [avatar, setAvatar] = useState<File | null>(null)
  const preview = useObjectUrl(avatar)
  return (
    <StepForm
      onDone={onDone}
      onBack={onBack}
      save={async () => {
        const changes = { displayName, note, ...(avatar && { avatar }) }
        const saved = await api().v1.accounts.updateCredentials(changes)
        queries.setQueryData(ownAccountQuery.queryKey, saved as unknown as CredentialAccount)
      }}
    >
      <p>{message('web.setup.profile.text')}</p>
      <label className={styles.picture}>
        <Avatar account={{ avatarStatic: preview ?? account.avatarStatic }} size="xl" />
        <input
          type="file"
          accept="image/*"
          aria-label={message('web.setup.profile.picture')}
          onChange={({ target }) => setAvatar(target.files?.[0] ?? null)}
        />
        <span className="button button-line" aria-hidden="true">
          <Icon name="image" />
          {message('web.setup.profile.picture')}
        </span>
      </label>
      <TextField
        label={message('web.setup.profile.name')}
        value={displayName}
        onChange={setDisplayName}
        maxLength={MAX_NAME_LENGTH}
      />
      <TextArea
        label={message('web.setup.profile.bio')}
        hint={message('web.setup.profile.bio.hint')}
        value={note}
        onChange={setNote}
        maxLength={MAX_BIO_LENGTH}
      />
    </StepForm>
  )
}

/** Returns a URL that shows a file of this device, while it is needed. */
function useObjectUrl(file: File | null): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    if (!file) return
    const created = URL.createObjectURL(file)
    setUrl(created)
    return () => URL.revokeObjectURL(created)
  }, [file])
  return url
}
