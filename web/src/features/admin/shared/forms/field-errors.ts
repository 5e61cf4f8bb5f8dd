import { useEffect, useState } from 'react'
import { toCamelCase } from '../../../../lib/api/convert-names.ts'
import { fieldErrorsOf } from '../../../../lib/api/field-errors.ts'
import type { FieldErrors } from '../../../../lib/api/field-errors.ts'
import { runOrReport } from '../decisions/undo.ts'

/** Returns the problems that a response names, by the camel-case names of the fields. */
const problemsOf = (error: unknown): FieldErrors => toCamelCase(fieldErrorsOf(error)) as FieldErrors

/**
 * The problems of a form's fields. `run` runs an action: problems of `fields` are shown at them, and the first one gets
 * the focus; other failures are shown in the dialog or as a message.
 */
export function useFieldErrors(fields: readonly string[]): {
  errors: FieldErrors
  run(action: () => Promise<unknown>): Promise<boolean>
} {
  const [errors, setErrors] = useState<FieldErrors>({})
  useEffect(() => {
    if (Object.keys(errors).length > 0) document.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [errors])
  const run = async (action: () => Promise<unknown>) => {
    setErrors({})
    let isRefused = false
    const isDone = await runOrReport(async () => {
      try {
        await action()
      } catch (error) {
        const found = problemsOf(error)
        const names = Object.keys(found)
        setErrors(found)
        if (names.length === 0 || !names.every((name) => fields.includes(name))) throw error
        isRefused = true
      }
    })
    return isDone && !isRefused
  }
  return { errors, run }
}
