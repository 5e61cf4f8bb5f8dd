import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { adminApi } from '../../../lib/api/admin-api.ts'
import { message } from '../../../lib/i18n/messages.ts'
import { AdminDialog } from '../shared/decisions/admin-dialog.tsx'
import { showDecision } from '../shared/decisions/undo.ts'
import { useFieldErrors } from '../shared/forms/field-errors.ts'
import { FormField } from '../shared/forms/form-field.tsx'
import type { Field, Resource, Values } from './resource.ts'
import admin from '../shared/admin.module.css'

/** The form of a new row, or of an existing one. */
export function ResourceDialog<Row extends { id: string }>({
  resource,
  row,
  onClose,
}: {
  resource: Resource<Row>
  row: Row | null
  onClose: () => void
}) {
  const before = row ? resource.valuesOf(row) : resource.initial
  const [values, setValues] = useState<Values>(before)
  const [isBusy, setIsBusy] = useState(false)
  const { errors, run } = useFieldErrors(resource.fields.map(({ name }) => name))
  const queryClient = useQueryClient()
  const refresh = async () => queryClient.invalidateQueries({ queryKey: ['admin', resource.path] })
  const save = async () => {
    setIsBusy(true)
    await run(async () => {
      const saved = (await (row
        ? adminApi(resource.path, row.id).update(values)
        : adminApi(resource.path).create(values))) as Row
      onClose()
      showDecision({
        text: message('web.admin.saved', { name: resource.describe(saved).name }),
        undo: async () => {
          await (row ? adminApi(resource.path, row.id).update(before) : adminApi(resource.path, saved.id).remove())
          await refresh()
        },
      })
      await refresh()
    })
    setIsBusy(false)
  }
  return (
    <AdminDialog
      title={row ? resource.describe(row).name : resource.texts.create}
      confirm={message('web.admin.save')}
      isBusy={isBusy}
      onConfirm={() => void save()}
      onClose={onClose}
    >
      {resource.fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          value={values[field.name]}
          error={errors[field.name]}
          onChange={(value) => setValues({ ...values, [field.name]: value })}
        />
      ))}
    </AdminDialog>
  )
}

function FieldInput({
  field,
  value,
  error,
  onChange,
}: {
  field: Field
  value: Values[string] | undefined
  error: string | undefined
  onChange: (value: string | boolean) => void
}) {
  if (field.type === 'switch')
    return (
      <label className={admin.check}>
        <input type="checkbox" checked={value === true} onChange={({ target }) => onChange(target.checked)} />
        {field.label}
      </label>
    )
  const text = String(value ?? '')
  const isCode = field.type === 'domain' || field.type === 'email' || field.type === 'url'
  return (
    <FormField label={field.label} hint={'hint' in field ? field.hint : undefined} error={error}>
      {(attributes) =>
        field.type === 'choice' ? (
          <select {...attributes} value={text} onChange={({ target }) => onChange(target.value)}>
            {field.options.map(([option, label]) => (
              <option key={option} value={option}>
                {label}
              </option>
            ))}
          </select>
        ) : field.type === 'text' ? (
          <textarea
            {...attributes}
            dir="auto"
            rows={4}
            required={field.isRequired}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        ) : (
          <input
            {...attributes}
            type={field.type === 'email' || field.type === 'url' ? field.type : 'text'}
            dir={isCode ? 'ltr' : 'auto'}
            autoComplete="off"
            autoCapitalize={isCode ? 'none' : undefined}
            spellCheck={!isCode}
            required={field.isRequired}
            value={text}
            onChange={({ target }) => onChange(target.value)}
          />
        )
      }
    </FormField>
  )
}
