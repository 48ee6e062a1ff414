/** A bug that is planted in a copy of the code, to see that the simulation finds it. */
export interface PlantedBug {
  readonly name: string;
  /** Of the compiled code, below `src`. */
  readonly file: string;
  /** Stands there exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const PLANTED_BUGS: readonly PlantedBug[] = [
  {
    name: 'a read brings forward what has yet to happen',
    file: 'kernel/workflow-task.js',
    find: 'place.events > before.events',
    replace: 'false',
  },
  {
    name: 'a read begins a task that another worker has begun',
    file: 'kernel/workflow-task.js',
    find: 'return unsure;',
    replace: 'return false;',
  },
  {
    name: 'a read is answered while an inline call is under way',
    file: 'kernel/workflow-task.js',
    find: 'return this.#inline === 0;',
    replace: 'return true;',
  },
  {
    name: 'empty tasks are merged by a replay',
    file: 'kernel/workflow-task.js',
    find: 'const marks = this.#took && !this.#answered && !asked;',
    replace: 'const marks = false;',
  },
  {
    name: 'clock behind a timer that has ended',
    file: 'kernel/workflow-task.js',
    find: 'this.reach(due);',
    replace: 'void due;',
  },
  {
    name: 'a new run begins before the one before it has ended',
    file: 'kernel/entity-life.js',
    find: 'driver.reach(input.at);',
    replace: '',
  },
  {
    name: 'event lost in continue-as-new',
    file: 'kernel/runner.js',
    find: 'const idle = this.#outbox.empty && ',
    replace: 'const idle = ',
  },
  {
    name: 'attempts forgotten in continue-as-new',
    file: 'kernel/entity-life.js',
    find: 'start: goOn(entity, input, driver.now())',
    replace: 'start: goOn(entity, { ...input, snapshot: { ...input.snapshot, attempt: 0 } }, driver.now())',
  },
  {
    name: 'requests forgotten in continue-as-new',
    file: 'kernel/entity-life.js',
    find: 'start: goOn(entity, input, driver.now())',
    replace:
      'start: goOn(entity, { ...input, snapshot: { ...input.snapshot, ledger: { recent: [], older: [], forgotten: 0 } } }, driver.now())',
  },
  {
    name: 'message lost at the end of a long run',
    file: 'kernel/entity-life.js',
    find: '...(unsent.length > 0 && { unsent }),',
    replace: '',
  },
  {
    name: 'message sent by the long run and by the next one',
    file: 'kernel/outbox.js',
    find: 'const left = this.#next.delete(number) && this.#kept !== undefined;',
    replace: 'const left = !this.#next.delete(number);',
  },
  {
    name: 'report not judged after a long run',
    file: 'kernel/entity-life.js',
    find: '(before) => react(entity, before, now)',
    replace: '(before) => ({ snapshot: before, effects: [] })',
  },
  {
    name: 'run that never becomes a new one under load',
    file: 'kernel/runner.js',
    find: 'if (running || !this.#driver.runIsLong())',
    replace: 'if (true)',
  },
  {
    name: 'probe storm',
    file: 'kernel/runner.js',
    find: 'this.#apply({ snapshot, effects: this.#probes.unsent(effects) });',
    replace: 'this.#apply({ snapshot, effects });',
  },
  {
    name: 'all reservers ahead are probed',
    file: 'kernel/circle.js',
    find: "return held ? [{ on: entityId(reservation.owner), kind: 'release', id: reservation.wait }] : [];",
    replace:
      "return held ? [{ from: reservation.owner, wait: reservation.wait }, ...reservers.slice(0, Math.max(reservers.findIndex(({ wait }) => wait === id), 0))].map(({ from, wait }) => ({ on: entityId(from), kind: 'release', id: wait })) : [];",
  },
  {
    name: 'forgotten request runs again',
    file: 'kernel/doubt.js',
    find: 'return !asked.has(request.id) || forgotten !== snapshot.ledger.forgotten;',
    replace: 'return false;',
  },
  {
    name: 'horizon behind',
    file: 'kernel/older-requests.js',
    find: 'const latest = Math.max(time, one?.time ?? -Infinity);',
    replace: 'const latest = Math.min(time, one?.time ?? time);',
  },
  {
    name: 'effect doubled after a crash',
    file: 'kernel/action-scope.js',
    find: '/${what}/${this.#places}`',
    replace: '/${what}/${this.#places}@${this.#host.now()}`',
  },
  {
    name: 'effect doubled by another attempt',
    file: 'kernel/action-scope.js',
    find: '/${what}/${this.#places}`',
    replace: '/${what}/${this.#places}.${this.#start.attempt}`',
  },
  {
    name: 'one key for two calls',
    file: 'kernel/action-scope.js',
    find: '/${what}/${this.#places}`',
    replace: '/${what}`',
  },
  {
    name: 'subscription fired twice',
    file: 'kernel/subscription.js',
    find: 'used: [...judged.used, name]',
    replace: 'used: judged.used',
  },
  {
    name: 'report out of order believed',
    file: 'kernel/receive.js',
    find: 'report.version > known.version',
    replace: 'true',
  },
  {
    name: 'judgement lost while an action runs',
    file: 'kernel/receive.js',
    find: 'const judgements = report.judgement ?',
    replace: 'const judgements = report.judgement && !snapshot.running ?',
  },
  {
    name: 'operation ended before a report is judged',
    file: 'operations/tracker.js',
    find: 'this.#items.openCount === 0',
    replace: "this.#items.open().every(({ kind }) => kind === 'judgement')",
  },
  {
    name: 'operation ended while a participant waits',
    file: 'operations/tracker.js',
    find: 'this.#waiting.size === 0',
    replace: 'true',
  },
  {
    name: 'effect of a judgement not told',
    file: 'kernel/subscription.js',
    find: 'caused: begun?.operation === operation ? [{ engagement: begun.id, on: entityId(snapshot) }] : [],',
    replace: 'caused: [],',
  },
  {
    name: 'operation told before it is there',
    file: 'kernel/outbox.js',
    find: "...(effect.kind === 'open' ? [] : this.#opening.values())",
    replace: '',
  },
  {
    name: 'event validated before the action ended',
    file: 'kernel/admit.js',
    find: 'const decision = decideRaised(entity, rest, request);',
    replace:
      'const decision = decideRaised(entity, { ...rest, state: rest.engagements.at(-1)?.startState ?? rest.state }, request);',
  },
  {
    name: 'event started while an action runs',
    file: 'kernel/admit.js',
    find: 'if (behind !== undefined) {',
    replace: 'if (false) {',
  },
  {
    name: 'waiting event lost when another comes',
    file: 'kernel/admit.js',
    find: ': enqueue(snapshot, request),',
    replace: ': [request],',
  },
  {
    name: 'watcher for ever',
    file: 'kernel/settle.js',
    find: 'watchers: stillWatching(settled)',
    replace: 'watchers: settled.watchers',
  },
  {
    name: 'deleted successors stay',
    file: 'kernel/past-successors.js',
    find: 'if (outcome?.closed)',
    replace: 'if (false)',
  },
  {
    name: 'withdrawn event that runs',
    file: 'kernel/withdraw.js',
    find: '{ ...snapshot, waiting: snapshot.waiting.filter((each) => each !== request) }',
    replace: 'snapshot',
  },
  {
    name: 'refused wait leaves its event',
    file: 'kernel/awaiting.js',
    find: "if (answer?.kind !== 'outcome' && intent.kind === 'event' && ofAction)",
    replace: "if (answer?.kind !== 'outcome' && intent.kind === 'event' && ofAction && answer?.kind !== 'refused')",
  },
  {
    name: 'timed-out wait leaves its event',
    file: 'kernel/awaiting.js',
    find: "if (answer?.kind !== 'outcome' && intent.kind === 'event' && ofAction)",
    replace: "if (answer?.kind === 'refused' && intent.kind === 'event' && ofAction)",
  },
  {
    name: 'reservation that holds nothing back',
    file: 'kernel/reserved.js',
    find: 'return reservation ? !reservation.used || isSealed(snapshot) : postponed !== undefined;',
    replace: 'return false;',
  },
  {
    name: 'reservation leaked by an action that has ended',
    file: 'kernel/holding.js',
    find: 'released.map(({ on, wait }) => releaseOf(on, wait))',
    replace: '[]',
  },
  {
    name: 'reservation leaked by an operation that has ended',
    file: 'operations/tracker.js',
    find: 'this.#reservations.push({ on, wait });',
    replace: '',
  },
  {
    name: 'reservation that outlives its lease',
    file: 'kernel/next.js',
    find: 'const leaseEnd = isSealed(snapshot) ? Infinity : (snapshot.reservation?.until ?? Infinity);',
    replace: 'const leaseEnd = isSealed(snapshot) ? lookAt : Infinity;',
  },
  {
    name: 'commit without a seal',
    file: 'kernel/runner.js',
    find: 'if (wanted.length > 0)',
    replace: 'if (false)',
  },
  {
    name: 'seal that ends with the lease',
    file: 'kernel/reserved.js',
    find: '(promised || reservation.until > now)',
    replace: '(reservation.until > now)',
  },
  {
    name: 'seal that never ends after its holder was terminated',
    file: 'kernel/owner-look.js',
    find: 'if (reservation.missed === round - 1)',
    replace: 'if (false)',
  },
  {
    name: 'rejection of which nobody hears',
    file: 'operations/tracker.js',
    find: 'else if (unexpected && !this.#madeGood.has(raise))',
    replace: 'else if (false)',
  },
  {
    name: 'said to wait, and rejected at once',
    file: 'kernel/allowed-events.js',
    find: '...(!certain && behind)',
    replace: '...behind',
  },
  {
    name: 'deadline dropped',
    file: 'kernel/timers.js',
    find: 'if (deadline)',
    replace: 'if (deadline && snapshot.attempt < 2)',
  },
  {
    name: 'time-out of a subscription dropped',
    file: 'kernel/timers.js',
    find: 'if (timeout && isValid(raise))',
    replace: 'if (timeout && isValid(raise) && snapshot.entry % 3 === 0)',
  },
  {
    name: 'tick twice in a period',
    file: 'kernel/timers.js',
    find: '(Math.floor((after - bornAt) / period) + 1)',
    replace: '(Math.floor((2 * (after - bornAt)) / period) + 1) / 2',
  },
  {
    name: 'event of a timer that its operation does not know',
    file: 'kernel/begin.js',
    find: "begun.eventType === 'raised' ? -1 :",
    replace: 'true ? -1 :',
  },
  {
    name: 'abort that waits for the action',
    file: 'kernel/admit.js',
    find: 'return snapshot.running ? {',
    replace: 'return false ? {',
  },
  {
    name: 'match forgotten while the action of a subscription fails',
    file: 'kernel/subscription.js',
    find: 'rearm.at > now)',
    replace: 'rearm.at > now && snapshot.successors.every(({ outcome }) => outcome))',
  },
  {
    name: 'rejected raise repeated with its request id',
    file: 'kernel/action-scope.js',
    find: 'failed || rejectedRaises?.includes(id)',
    replace: 'failed',
  },
  {
    name: 'lost successor waited for for ever',
    file: 'kernel/look.js',
    find: 'if (successor.missed)',
    replace: 'if (false)',
  },
  {
    name: 'loss ignored in stable states',
    file: 'kernel/ended-successor.js',
    find: 'if (toLife !== snapshot.life)',
    replace: 'if (toLife !== snapshot.life || !entity.states[snapshot.state].waiting)',
  },
  {
    name: 'loss believed of another life',
    file: 'kernel/ended-successor.js',
    find: 'if (known.life !== ended.life && !(unanswered && known.life === undefined))',
    replace: 'if (false)',
  },
  {
    name: 'operation that waits for what was lost',
    file: 'operations/tracker.js',
    find: 'return missed !== undefined && missed !== round;',
    replace: 'return false;',
  },
  {
    name: 'operation interrupted and not told',
    file: 'kernel/interrupt.js',
    find: 'effects: [...told, ...records, ...ended]',
    replace: 'effects: records',
  },
  {
    name: 'cancel request dropped',
    file: 'kernel/admit.js',
    find: "if (answer.status !== 'rejected')",
    replace: 'if (true)',
  },
  {
    name: 'rejected event remembered',
    file: 'kernel/admit.js',
    find: 'rejected(forget(rest.ledger, request.id), rest',
    replace: 'rejected(rest.ledger, rest',
  },
  {
    name: 'request taken twice',
    file: 'kernel/admit.js',
    find: 'if (known) {',
    replace: 'if (known && request.from) {',
  },
  {
    name: 'event that ends twice',
    file: 'kernel/settle.js',
    find: 'engagements: [],',
    replace: 'engagements: opened.engagements,',
  },
  {
    name: 'version skipped by a retry',
    file: 'kernel/transition.js',
    find: 'version: snapshot.version + 1,\n        nextAttemptAt',
    replace: 'version: snapshot.version + 2,\n        nextAttemptAt',
  },
  {
    name: 'undeclared target accepted',
    file: 'kernel/commit.js',
    find: 'if (result.to !== undefined && !asList(targets).includes(result.to)) {',
    replace: 'if (false) {',
  },
  {
    name: 'change kept of an action that failed',
    file: 'kernel/action-scope.js',
    find: 'JSON.parse(JSON.stringify({ properties, links, subordinates }))',
    replace: '{ properties, links, subordinates }',
  },
  {
    name: 'event begun that was taken back while it waited for the store',
    file: 'kernel/questions.js',
    find: 'withdrawn: doubted.some((each) => withdraws(each, message))',
    replace: 'withdrawn: false',
  },
];
