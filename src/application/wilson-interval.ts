export { type Interval, wilsonInterval } from '../domain/wilson-interval.js';
