import { asker } from '../entities/asker.js';
import { account, clerk } from '../entities/bank-workflows.js';
import { berth, light, watch } from '../entities/berth-workflows.js';
import { fleet, ship } from '../entities/fleet-workflows.js';
import { errand, purse, transfer } from '../entities/transfer.js';
import { batch, job, plan } from '../entities/job-actions.js';
import { candle } from '../entities/timed-workflows.js';
import { diary } from '../entities/diary.js';
import { film } from '../entities/film.js';
import { host, janitor } from '../entities/host.js';
import { freight } from '../entities/freight.js';
import { invoice } from '../entities/invoice.js';
import { basket } from '../entities/basket.js';
import { lodge } from '../entities/lodge.js';
import { list } from '../entities/list.js';
import { loaf } from '../entities/loaf.js';
import { node } from '../entities/node.js';
import { order, purchaser } from '../entities/order.js';
import { alarm, ball, carousel } from '../entities/round.js';
import { permit } from '../entities/permit.js';
import { pair } from '../entities/pair.js';
import { rig } from '../entities/rig.js';
import { survey } from '../entities/survey.js';
import { seed, site } from '../entities/town-workflows.js';
import { copy, volume } from '../entities/volume.js';
import { box, room } from '../entities/workflows.js';
import { buyer } from '../entities/buyer.js';
import { meter } from './meter.js';

/** All entities of the scenarios. */
export const implementations = [
  account,
  asker,
  clerk,
  batch,
  job,
  plan,
  candle,
  seed,
  site,
  box,
  room,
  diary,
  film,
  fleet,
  ship,
  meter,
  buyer,
  purse,
  transfer,
  errand,
  berth,
  watch,
  light,
  order,
  purchaser,
  invoice,
  survey,
  rig,
  basket,
  list,
  loaf,
  node,
  pair,
  freight,
  host,
  janitor,
  lodge,
  alarm,
  ball,
  carousel,
  volume,
  permit,
  copy,
] as const;
