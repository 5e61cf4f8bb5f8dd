import { around, circle, line, rect, shape, sky, stars, tableTop, times } from './canvas.ts'
import type { DrawScene } from './canvas.ts'

/** Scenes with objects and animals. */
export const INDOORS = {
  cup: (canvas) => {
    const { palette, width, height, unit } = canvas
    const [x, y] = [width / 2, height * 0.62]
    const handle = `<circle cx="${x + unit * 17}" cy="${y - unit * 8}" r="${unit * 8}" fill="none" stroke="${palette.accent}" stroke-width="${unit * 3}"/>`
    const body = `<path d="M${x - unit * 17} ${y - unit * 20}h${unit * 34}v${unit * 18}a${unit * 17} ${unit * 17} 0 0 1 ${-unit * 34} 0z" fill="${palette.accent}"/>`
    const drink = `<ellipse cx="${x}" cy="${y - unit * 20}" rx="${unit * 17}" ry="${unit * 4}" fill="${palette.dark}"/>`
    const steam = times(3, (n) => {
      const left = x + (n - 1) * unit * 9
      const points = Array.from({ length: 20 }, (_, step): [number, number] => [
        left + Math.sin(step / 2.5) * unit * 2,
        y - unit * (28 + step),
      ])
      return line(points, '#fff', unit)
    })
    return sky(canvas) + tableTop(canvas) + handle + body + drink + steam
  },
  plate: ({ random, palette, width, height, unit }) => {
    const [x, y] = [width / 2, height / 2]
    const rings = [42, 38, 27, 25].map((radius, n) =>
      circle(x, y, unit * radius, [palette.dark, palette.accent, palette.light, palette.land[0]][n]!),
    )
    const crack = Array.from({ length: 9 }, (_, n): [number, number] => [
      x + unit * (n * 9 - 36),
      y + unit * (random.next() * 12 - 6),
    ])
    return rect(0, 0, width, height, palette.land[2]) + rings.join('') + line(crack, '#d9a520', unit * 0.9)
  },
  fruit: (canvas) => {
    const { random, palette, width, height, unit } = canvas
    const one = (n: number) => {
      const [x, y, radius] = [
        width * (0.12 + n * 0.19),
        height * 0.62 - unit * random.between(0, 6),
        unit * random.between(9, 13),
      ]
      const leaves = times(5, (leaf) =>
        line([[x, y - radius], around(x, y - radius, unit * 4, leaf / 5)], palette.dark, unit * 1.4),
      )
      return (
        circle(x, y, radius, n % 2 ? '#c8432f' : '#d8603a') +
        circle(x - radius / 3, y - radius / 3, radius / 6, '#f4b39d') +
        leaves
      )
    }
    return sky(canvas) + tableTop(canvas) + times(5, one)
  },
  paper: (canvas) => {
    const { random, palette, width, height, unit } = canvas
    const [left, top, across, down] = [width * 0.2, height * 0.12, width * 0.6, height * 0.76]
    const row = (n: number) => {
      const y = top + down * (0.12 + n * 0.085)
      return line(
        [
          [left + unit * 6, y],
          [left + unit * 6 + (across - unit * 12) * (0.6 + random.next() * 0.4), y],
        ],
        palette.land[2],
        unit * 0.7,
      )
    }
    const corner = shape(
      [
        [left + across - unit * 12, top],
        [left + across, top],
        [left + across, top + unit * 12],
      ],
      palette.accent,
    )
    return (
      rect(0, 0, width, height, palette.land[1]) +
      rect(left, top, across, down, '#fbf7ec', unit) +
      times(10, row) +
      corner
    )
  },
  clock: ({ palette, width, height, unit }) => {
    const [x, y] = [width / 2, height / 2]
    const marks = times(12, (n) =>
      line([around(x, y, unit * 33, n / 12), around(x, y, unit * 36, n / 12)], palette.dark, unit * 1.4),
    )
    // Ten to two.
    const hands =
      line([[x, y], around(x, y, unit * 18, 1.83 / 12)], palette.dark, unit * 2.4) +
      line([[x, y], around(x, y, unit * 29, 50 / 60)], palette.dark, unit * 1.4)
    return (
      rect(0, 0, width, height, palette.land[0]) +
      circle(x, y, unit * 43, palette.land[2]) +
      circle(x, y, unit * 39, '#fbf7ec') +
      marks +
      hands +
      circle(x, y, unit * 2, palette.accent)
    )
  },
  radio: (canvas) => {
    const { palette, width, height, unit } = canvas
    const [x, y] = [width / 2, height * 0.62]
    const [left, top] = [x - unit * 34, y - unit * 36]
    const cloth = times(9, (n) =>
      line(
        [
          [left + unit * (6 + n * 4), top + unit * 6],
          [left + unit * (6 + n * 4), y - unit * 6],
        ],
        palette.light,
        unit,
      ),
    )
    return (
      sky(canvas) +
      tableTop(canvas) +
      rect(left, top, unit * 68, unit * 38, palette.land[2], unit * 4) +
      cloth +
      circle(x + unit * 18, y - unit * 22, unit * 10, palette.accent) +
      line([[x + unit * 18, y - unit * 22], around(x + unit * 18, y - unit * 22, unit * 8, 0.1)], palette.dark, unit) +
      circle(x + unit * 10, y - unit * 6, unit * 3, palette.dark) +
      circle(x + unit * 26, y - unit * 6, unit * 3, palette.dark)
    )
  },
  cat: (canvas) => {
    const { palette, width, height, unit } = canvas
    const [x, y] = [width / 2, height * 0.48]
    const ear = (side: 1 | -1) =>
      shape(
        [
          [x + side * unit * 6, y - unit * 15],
          [x + side * unit * 15, y - unit * 27],
          [x + side * unit * 16, y - unit * 7],
        ],
        '#111',
      )
    const eye = (side: 1 | -1) =>
      `<ellipse cx="${x + side * unit * 6.5}" cy="${y - unit * 2}" rx="${unit * 3.4}" ry="${unit * 2.4}" fill="${palette.accent}"/>${rect(x + side * unit * 6.5 - unit * 0.5, y - unit * 4, unit, unit * 4, '#111')}`
    const body = `<ellipse cx="${x}" cy="${height}" rx="${unit * 24}" ry="${height - y}" fill="#111"/>`
    const whiskers = times(6, (n) => {
      const side = n % 2 ? 1 : -1
      return line(
        [
          [x + side * unit * 4, y + unit * 5],
          [x + side * unit * 24, y + unit * (1 + n * 1.6)],
        ],
        palette.light,
        unit * 0.35,
      )
    })
    return (
      rect(0, 0, width, height, palette.dark) +
      stars(canvas) +
      body +
      ear(1) +
      ear(-1) +
      circle(x, y, unit * 17, '#111') +
      eye(1) +
      eye(-1) +
      whiskers
    )
  },
  spider: ({ palette, width, height, unit }) => {
    const [x, y] = [width / 2, height / 2]
    const legs = times(8, (n) => {
      const turn = 0.09 + (n % 4) * 0.105 + (n < 4 ? 0 : 0.5)
      return line(
        [[x, y], around(x, y, unit * 22, turn - 0.02), around(x, y, unit * 37, turn + 0.02)],
        '#5b3a22',
        unit * 1.6,
      )
    })
    return (
      rect(0, 0, width, height, palette.light) +
      circle(width * 0.86, y, unit * 34, palette.land[2]) +
      circle(width * 0.86, y, unit * 29, palette.dark) +
      legs +
      circle(x, y + unit * 5, unit * 11, '#6d4528') +
      circle(x, y - unit * 8, unit * 7, '#5b3a22')
    )
  },
} satisfies Record<string, DrawScene>
